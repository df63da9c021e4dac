// What two versions of Kubernetes say about the API besides code: types and their fields, resources, and feature gates. Pure.

/** The lines of each type, from the module of data that `npm run kubernetes-import -- --print` prints. */
export function readTypes(data) {
  const [, , block = ''] = /^export const kubernetesTypes\b(.*?)= \{\n([\s\S]*?)^\}$/m.exec(data) ?? []
  const types = new Map()
  for (const [, name, lines] of block.matchAll(/^ {2}'([^']+)': `([^`]*)`,$/gm)) types.set(name, lines === '' ? [] : lines.split('\n'))
  return types
}

const byFirstWord = (lines) => new Map(lines.map((line) => [line.startsWith('$') ? line : line.split(' ')[0], line.split(' ').slice(1)]))

/** The name of a type without its version: `storagemigration/v1beta1.Migration` and `storagemigration.Migration` are versions of one type. */
const unversioned = (name) => name.replace(/\/v[^.]*/, '')

/**
 * The types that were added and removed, those that are there in another version (`moved`), and of types in both: the fields that were added and removed,
 * and the attributes that a changed field lost and gained.
 */
export function compareTypes(old, next) {
  const result = { types: { added: [], removed: [], moved: [] }, fields: { added: [], removed: [], changed: [] } }
  const removed = new Set([...old.keys()].filter((name) => !next.has(name)))
  for (const name of [...next.keys()].sort()) {
    const sameName = [...removed].filter((one) => unversioned(one) === unversioned(name))
    const before = old.has(name) ? name : sameName.length === 1 ? sameName[0] : undefined
    if (before === undefined) result.types.added.push({ name, fields: next.get(name) })
    else compareFields(name, byFirstWord(inVersion(old.get(before), name)), byFirstWord(inVersion(next.get(name), name)), result.fields)
    if (before !== undefined && before !== name) {
      result.types.moved.push({ name, before })
      removed.delete(before)
    }
  }
  result.types.removed = [...removed].sort().map((name) => ({ name }))
  return result
}

/** Fields without the version of a type of the same group, which moves with it. */
function inVersion(lines, name) {
  const group = unversioned(name).split('.')[0]
  return lines.map((line) => line.replace(new RegExp(`(?<=[ \\]*])${group}/v[^.]*\\.`), `${group}.`))
}

function compareFields(type, old, next, result) {
  for (const field of new Set([...old.keys(), ...next.keys()])) {
    const [before, after] = [old.get(field), next.get(field)]
    const name = `${type}.${field}`
    if (before === undefined) result.added.push({ name, attributes: after })
    else if (after === undefined) result.removed.push({ name })
    else {
      const [lost, gained] = [before.filter((word) => !after.includes(word)), after.filter((word) => !before.includes(word))]
      if (lost.length + gained.length > 0) result.changed.push({ name, lost, gained })
    }
  }
}

/** The state of each feature gate in a minor version: `on BETA`, `off ALPHA`, `on GA locked`. `list`: the parsed list of all gates and versions. */
export function readGates(list, minor) {
  const gates = new Map()
  for (const { name, versionedSpecs } of list) {
    const spec = versionedSpecs.filter(({ version }) => Number(String(version).split('.')[1]) <= minor).at(-1)
    if (spec !== undefined)
      gates.set(name, `${spec.default ? 'on' : 'off'} ${spec.preRelease.toUpperCase()}${spec.lockToDefault ? ' locked' : ''}`)
  }
  return gates
}

/** The endpoints of the discovery documents, by `group/version resource`. */
export function readResources(documents) {
  const found = new Map()
  for (const { groupVersion, resources } of documents)
    for (const { name, ...rest } of resources) {
      delete rest.storageVersionHash
      found.set(`${groupVersion} ${name}`, JSON.stringify(rest))
    }
  return found
}

/** What was added, removed and changed in a map of texts. */
export function compareMaps(old, next) {
  const names = [...new Set([...old.keys(), ...next.keys()])].sort()
  return {
    added: names.filter((name) => !old.has(name)).map((name) => ({ name, now: next.get(name) })),
    removed: names.filter((name) => !next.has(name)).map((name) => ({ name, before: old.get(name) })),
    changed: names
      .filter((name) => old.has(name) && next.has(name) && old.get(name) !== next.get(name))
      .map((name) => ({ name, before: old.get(name), now: next.get(name) })),
  }
}
