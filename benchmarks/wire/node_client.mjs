// Runs one task with one client on Node, as `benchmarks.wire.clients` does with those in Python.
//
//   node node_client.mjs (puppeteer-core | chrome-remote-interface) (events | small_events | round_trips) URL COUNT
//
// It prints the seconds, the processor seconds, and the MiB of memory that the process has taken at most.

import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));
const [client, task, url, count] = process.argv.slice(2);

// Each yields a function that sends a command, one that hears an event, and one that ends the connection. Of puppeteer
// that is its connection and session, without the layer of pages and frames above them.
const CLIENTS = {
  async 'puppeteer-core'() {
    const {Connection} = require('puppeteer-core');
    const folder = join(require.resolve('puppeteer-core'), '..', 'node');
    const {NodeWebSocketTransport} = require(join(folder, 'NodeWebSocketTransport.js'));
    const connection = new Connection(url, await NodeWebSocketTransport.create(url));
    const attached = new Promise(resolve => connection.once('sessionattached', resolve));
    await connection.send('Target.attachToTarget', {targetId: 'page', flatten: true});
    const session = await attached;
    return {
      send: method => session.send(method),
      on: (method, hear) => session.on(method, hear),
      close: () => connection.dispose(),
    };
  },
  async 'chrome-remote-interface'() {
    const CDP = require('chrome-remote-interface');
    const connection = await CDP({target: url, local: true});
    return {
      send: method => connection.send(method),
      on: (method, hear) => connection.on(method, hear),
      close: () => connection.close(),
    };
  },
};

const EVENTS = {
  events: {
    enable: 'Runtime.enable',
    'Runtime.consoleAPICalled': event => event.type === 'error',
    'Network.requestWillBeSent': event => event.request.method === 'GET',
  },
  small_events: {
    enable: 'Network.enable',
    'Network.dataReceived': event => event.dataLength > 0,
    'Network.loadingFinished': event => event.encodedDataLength > 0,
  },
};

function clock() {
  const started = process.hrtime.bigint();
  const used = process.cpuUsage();
  return () => {
    const {user, system} = process.cpuUsage(used);
    return [Number(process.hrtime.bigint() - started) / 1e9, (user + system) / 1e6];
  };
}

async function receive({send, on}, {enable, ...events}) {
  const heard = {};
  for (const [method, right] of Object.entries(events)) {
    heard[method] = 0;
    on(method, event => {
      heard[method] += right(event) ? 1 : 0;
    });
  }
  await send(enable);
  const read = clock();
  await send(enable);
  const took = read();
  if (Object.values(heard).some(number => number !== Number(count))) {
    throw new Error(`heard ${JSON.stringify(heard)}`);
  }
  return took;
}

async function exchange({send}) {
  await send('Browser.getVersion');
  const read = clock();
  for (let number = 0; number < count; number++) {
    await send('Browser.getVersion');
  }
  return read();
}

const connected = await CLIENTS[client]();
const took = await (task in EVENTS ? receive(connected, EVENTS[task]) : exchange(connected));
const memory = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
console.log(...took, memory / 1024);
await connected.close();
process.exit(0);
