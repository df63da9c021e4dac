// Compares the declarations that our rules name, and what they use in their packages. Pure.
import { splitName } from './names.mjs'

/** How far the uses of a declaration are followed within its package. */
const depth = 3

/** How many lines of code a declaration gained and lost. Comments, indentation and the order of lines do not count. */
export function changedLines(before, after) {
  const counts = new Map()
  const count = (source, by) => {
    for (const line of source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').split('\n'))
      if (line.trim() !== '') counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + by)
  }
  count(after, 1)
  count(before, -1)
  const changes = [...counts.values()]
  const sum = (numbers) => numbers.reduce((total, one) => total + Math.abs(one), 0)
  return { gained: sum(changes.filter((one) => one > 0)), lost: sum(changes.filter((one) => one < 0)) }
}

/** How much two declarations have in common: 1 if they have the same words. */
function similarity(one, other) {
  const [words, others] = [new Set(one.text.split(' ')), new Set(other.text.split(' '))]
  const common = [...words].filter((word) => others.has(word)).length
  return common / (words.size + others.size - common)
}

/** The function of the new package that has most in common with a removed one, if it is more than half. */
function successorOf(removed, before, after) {
  const candidates = [...after.values()]
    .filter(({ name, kind }) => kind === removed.kind && !before.has(name))
    .map((one) => ({ name: one.name, similarity: similarity(removed, one) }))
    .sort((a, b) => b.similarity - a.similarity)
  return candidates[0]?.similarity > 0.5 ? candidates[0].name : undefined
}

/** What a declaration uses, directly and through others of its package, without those that `stop`. */
function usedBy(name, declarations, stop) {
  const found = new Set()
  let level = [name]
  for (let step = 0; step < depth && level.length > 0; step++) {
    const next = new Set(level.flatMap((one) => declarations.get(one)?.uses ?? []))
    level = [...next].filter((one) => !found.has(one) && one !== name && !stop(one))
    for (const one of level) found.add(one)
  }
  return [...found]
}

const unique = (list) => [...new Set(list)].sort()
const byName = (a, b) => (a.name < b.name ? -1 : 1)

/**
 * `named`: our files by `package.Name`. `old` and `next` read the declarations of a package by its path; `find` gives the packages of the new version
 * that have a declaration of a name. Returns the changes, each with our files:
 * - `changed`: the declaration itself changed.
 * - `helpers`: functions and variables that no rule names, that changed or are new, and that named ones use in their package (`usedBy`).
 * - `removed`: the package does not have it any more. `successor` is a new function like it, `movedTo` are packages that have one of its name.
 * - `added`: it is new; rules name it already, or all methods of its type.
 * - `unknown`: neither version has it.
 * - `unnamed`: functions that are new in a file of a named one, and that no rule names or uses; `source` is the file.
 */
export function compareNamed(named, old, next, find) {
  const result = { changed: [], helpers: [], removed: [], added: [], unknown: [], unnamed: [] }
  const packages = new Map()
  const helpers = new Map()
  for (const [key, files] of named) {
    const { package: of, name } = splitName(key)
    const [before, after] = [old(of), next(of)]
    const [was, is] = [before.get(name), after.get(name)]
    if (is === undefined) {
      if (was === undefined) result.unknown.push({ name: key, files })
      else
        result.removed.push({
          name: key,
          files,
          successor: successorOf(was, before, after),
          movedTo: find(name).filter((one) => one !== of),
        })
      continue
    }
    if (!packages.has(of)) packages.set(of, { before, after, sources: new Set() })
    packages.get(of).sources.add(is.file)
    if (was === undefined) result.added.push({ name: key, files })
    else if (was.text !== is.text) result.changed.push({ name: key, files, ...changedLines(was.source, is.source) })
    for (const helper of usedBy(name, after, (other) => named.has(`${of}.${other}`))) {
      const [previous, now] = [before.get(helper), after.get(helper)]
      if (now.kind === 'type' || previous?.text === now.text) continue
      const full = `${of}.${helper}`
      if (!helpers.has(full))
        helpers.set(full, {
          name: full,
          isNew: previous === undefined,
          ...changedLines(previous?.source ?? '', now.source),
          usedBy: [],
          files: [],
        })
      helpers.get(full).usedBy.push(name)
      helpers.get(full).files.push(...files)
    }
  }
  result.helpers = [...helpers.values()].map((one) => ({ ...one, usedBy: unique(one.usedBy), files: unique(one.files) }))
  for (const [of, { before, after, sources }] of packages)
    for (const { name, file, kind } of after.values()) {
      const full = `${of}.${name}`
      if (kind === 'func' && sources.has(file) && !before.has(name) && !named.has(full) && !helpers.has(full))
        result.unnamed.push({ name: full, source: file })
    }
  for (const list of Object.values(result)) list.sort(byName)
  return result
}

/** All changes of a package, whether rules name its declarations or not. */
export function comparePackage(of, old, next, named) {
  const [before, after] = [old(of), next(of)]
  const change = (name) => {
    if (!before.has(name)) return 'added'
    if (!after.has(name)) return 'removed'
    return before.get(name).text === after.get(name).text ? undefined : 'changed'
  }
  return unique([...before.keys(), ...after.keys()]).flatMap((name) => {
    const what = change(name)
    return what === undefined ? [] : [{ name: `${of}.${name}`, what, files: named.get(`${of}.${name}`) ?? [] }]
  })
}
