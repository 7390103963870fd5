// What chrome-devtools-mcp computes from heap snapshots: node heap_figures.mjs PACKAGE OUT EARLIER LATER ID...
import {writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const [packageFolder, out, earlier, later, ...ids] = process.argv.slice(2);
const module = pathToFileURL(`${packageFolder}/build/src/processors/HeapSnapshotManager.js`);
const {HeapSnapshotManager} = await import(module);
const manager = new HeapSnapshotManager();

const reference = each => [each.name, each.type, each.node.id, each.node.selfSize, each.node.retainedSize];
const around = async id => ({
  references: (await manager.getEdges(later, id, {sortBy: 'retainedSize', excludePrimitives: true})).items.map(reference),
  retainers: (await manager.getRetainers(later, id)).items.map(reference),
  dominators: (await manager.getDominatorsOf(later, id)).slice(1).map(each => each.nodeId),
});
const aggregates = async () =>
  (await manager.getAggregates(later)).aggregates.map(each => [each.className, each.count, each.selfSize, each.retainedSize]);

const figures = {
  classes: await aggregates(),
  objects: (await manager.queryObjects(later, {})).items.map(
    each => [each.id, each.name, each.type, each.distance, each.selfSize, each.retainedSize]),
  strings: (await manager.getDuplicateStrings(later)).map(each => [each.value, each.count, each.totalSelfSize]),
  changes: (await manager.getClassDiffs(earlier, later)).classDiffs.map(
    each => [each.className, each.addedCount, each.removedCount, each.addedSize, each.removedSize]),
  around: Object.fromEntries(await Promise.all(ids.map(async id => [id, await around(Number(id))]))),
};
writeFileSync(out, JSON.stringify(figures));
process.exit(0);
