// What chrome-devtools-mcp computes from heap snapshots: node heap_figures.mjs PACKAGE OUT EARLIER LATER
import {writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [packageFolder, out, earlier, later] = process.argv.slice(2);
const module = pathToFileURL(`${packageFolder}/build/src/processors/HeapSnapshotManager.js`);
const {HeapSnapshotManager} = await import(module);
const manager = new HeapSnapshotManager();

const aggregates = async () =>
  (await manager.getAggregates(later)).aggregates.map(each => [each.className, each.count, each.selfSize, each.retainedSize]);

const figures = {
  classes: await aggregates(),
  strings: (await manager.getDuplicateStrings(later)).map(each => [each.value, each.count, each.totalSelfSize]),
  changes: (await manager.getClassDiffs(earlier, later)).classDiffs.map(
    each => [each.className, each.addedCount, each.removedCount, each.addedSize, each.removedSize]),
};
writeFileSync(out, JSON.stringify(figures));
process.exit(0);
