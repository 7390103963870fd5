// What the pages of the suite have in common: helpers, and the report to the server, which says where to go on.
'use strict';

const NAME = location.pathname.split('/')[1];
const WEBSOCKETS = 'ws://127.0.0.1:WEBSOCKET_PORT';
const step = Number(new URLSearchParams(location.search).get('step'));
const never = new Promise(() => {});
const popups = [];
const [fetchNatively, laterNatively] = [window.fetch.bind(window), window.setTimeout.bind(window)];
let waitingFor = '';

const urlAt = (host, file) => `http://${host}:${location.port}/${NAME}/${file}`;
const here = file => urlAt(location.hostname, file);
const sibling = file => urlAt('sibling.' + location.hostname, file);  // the same site, another origin
const elsewhere = file => urlAt('127.0.0.1', file);  // another site

class Absent extends Error {}
class Told extends Error {}
class Saw extends Error {}

/** The browser lacks the feature, unless this holds. */
function need(condition, what) {
  if (!condition) throw new Absent(what);
}

/** What differs between browsers or machines and is compared as it is. */
function tell(value) {
  throw new Told(JSON.stringify(value));
}

function same(actual, expected) {
  const [saw, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (saw !== wanted) throw new Saw(`${saw}, not ${wanted}`);
}

function wait(what, promise) {
  waitingFor = what;
  return promise;
}

const sleep = ms => wait(`${ms} ms`, new Promise(resolve => setTimeout(resolve, ms)));
const nextFrame = () => wait('a frame', new Promise(resolve => requestAnimationFrame(resolve)));
const loaded = async () => {
  if (document.readyState !== 'complete') await once(window, 'load');
  await sleep(0);  // what navigates before the end of the load event replaces the page in the history
};

/** The next event of a type. */
function once(target, type, work = () => {}) {
  const event = new Promise(resolve => target.addEventListener(type, resolve, {once: true}));
  work();
  return wait(`${type} of ${target.constructor.name}`, event);
}

/** The data of the next message to a window, a worker, a port or a channel. */
async function message(target = window) {
  const next = once(target, 'message');
  target.start?.();
  return (await next).data;
}

/** The next `count` messages, in their order. */
async function messages(target, count) {
  const heard = [];
  return wait(`${count} messages`, new Promise(resolve => {
    target.addEventListener('message', event => heard.push(event.data) === count && resolve(heard));
    target.start?.();
  }));
}

/** The data of the next message from a window that may be of another origin. */
function from(source) {
  return wait('a message from a window', new Promise(resolve => {
    const listen = event => {
      if (event.source !== source) return;
      removeEventListener('message', listen);
      resolve(event.data);
    };
    addEventListener('message', listen);
  }));
}

/** An iframe with attributes, in the document. */
function attach(attributes, parent = document.body) {
  const element = document.createElement('iframe');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}

/** An iframe that has loaded. */
async function frame(attributes) {
  const element = attach(attributes);
  await once(element, 'load');
  return element;
}

/** What an iframe posts to its parent first. */
function wordOfFrame(attributes) {
  return from(attach(attributes).contentWindow);
}

/** A window of its own, which is closed when the feature has been reported. */
function popUp(url = '', name = '_blank', features = '') {
  const popup = open(url, name, features);
  need(popup, 'popups');
  popups.push(popup);
  return popup;
}

/** What a popup posts to its opener first; it is closed then. */
async function wordOfPopup(url, features) {
  const popup = popUp(url, '_blank', features);
  const word = await from(popup);
  popup.close();
  return word;
}

/** The name of the error with which something is refused, or `nothing`. */
async function refusal(work) {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return error.name;
  }
  return 'nothing';
}

async function until(holds) {
  wait(String(holds), null);
  for (;;) {
    const value = await holds();
    if (value) return value;
    await new Promise(resolve => laterNatively(resolve, 10));
  }
}

/** The requests for a file of this feature so far; without a name, for any. */
async function requests(file) {
  const all = await (await fetchNatively(here('log'))).json();
  return file === undefined ? all : all.filter(request => request.file === file);
}

const requested = file => until(async () => (await requests(file)).at(-1));
const json = async (url, options) => (await fetch(url, options)).json();
const text = async (url, options) => (await fetch(url, options)).text();
const more = () => fetchNatively(here('more'));
const isAllowed = name => (document.permissionsPolicy ?? document.featurePolicy).allowsFeature(name);
const element = (name, properties = {}, parent = document.body) =>
  parent.appendChild(Object.assign(document.createElement(name), properties));

/** The same page at a later step, as a new entry of the history. */
async function go(next) {
  await loaded();
  location.href = '?step=' + next;
  return wait('the next step', never);
}

const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const tempo = ms => ms < 2 ? 'at once' : ms < 300 ? 'in time' : 'late';

/** Uncaught errors, unless the page prevents their default. */
const trouble = new Promise((_, reject) => {
  for (const type of ['error', 'unhandledrejection']) {
    addEventListener(type, event => laterNatively(() => {
      if (!event.defaultPrevented) reject(new Error(`uncaught ${event.message ?? event.reason}`));
    }));
  }
});
trouble.catch(() => {});

async function feature(body) {
  const limit = new Promise((_, reject) => laterNatively(() => reject('limit'), LIMIT_S * 1000));
  let outcome = 'ok';
  try {
    await Promise.race([body(), trouble, limit]);
  } catch (error) {
    outcome = error === 'limit' ? `timeout: waited for ${waitingFor}`
      : error instanceof Absent ? `absent: ${error.message}`
      : error instanceof Told ? `told: ${error.message}`
      : error instanceof Saw ? `saw: ${error.message}`
      : `threw: ${error?.name}: ${error?.message ?? error}`;
  }
  for (const popup of popups) popup.close();
  const reply = await fetchNatively(`${location.protocol}//${location.host}/report/${NAME}`, {method: 'POST', body: outcome});
  location.replace(await reply.text());
}
