// Compares the declarations that our rules name, and what they use in their packages.
import { splitName } from './names.mjs'

/** How far the uses of a declaration are followed within its package. */
const depth = 3

const lines = (source) => source.split('\n').length

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

/**
 * `named`: our files by `package.Name`. `old` and `next` read the declarations of a package by its path; `find` gives the packages of the new version
 * that have a declaration of a name. Returns the changes, each with our files:
 * - `changed`: the declaration itself changed; `lines` before and after.
 * - `indirect`: it uses declarations of its package (`uses`) that changed, appeared or disappeared, and that no rule names.
 * - `removed`: the package does not have it any more; `movedTo` are packages that have one of this name.
 * - `unknown`: the old version does not have it either.
 * - `unnamed`: declarations that are new in a file of a named one, and that no rule names; `source` is the file.
 */
export function compareNamed(named, old, next, find) {
  const result = { changed: [], indirect: [], removed: [], unknown: [], unnamed: [] }
  const packages = new Map()
  for (const [key, files] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { package: of, name } = splitName(key)
    const isNamed = (other) => named.has(`${of}.${other}`)
    const [before, after] = [old(of), next(of)]
    const [was, is] = [before.get(name), after.get(name)]
    if (is === undefined) {
      if (was === undefined) result.unknown.push({ name: key, files })
      else result.removed.push({ name: key, files, movedTo: find(name).filter((one) => one !== of) })
      continue
    }
    const known = packages.get(of) ?? { before, after, sources: new Set() }
    packages.set(of, known)
    known.sources.add(is.file)
    if (was !== undefined) known.sources.add(was.file)
    if (was === undefined) result.unknown.push({ name: key, files, isNew: true })
    else if (was.text !== is.text) result.changed.push({ name: key, files, lines: [lines(was.source), lines(is.source)] })
    else {
      const uses = usedBy(name, after, isNamed).filter((one) => before.get(one)?.text !== after.get(one)?.text)
      if (uses.length > 0) result.indirect.push({ name: key, files, uses: uses.sort() })
    }
  }
  for (const [of, { before, after, sources }] of packages)
    for (const { name, file, kind } of after.values())
      if (kind === 'func' && sources.has(file) && !before.has(name) && !named.has(`${of}.${name}`))
        result.unnamed.push({ name: `${of}.${name}`, source: file })
  return result
}

/** All changes of a package, whether rules name its declarations or not. */
export function comparePackage(of, old, next, named) {
  const [before, after] = [old(of), next(of)]
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  const change = (name) => {
    if (!before.has(name)) return 'added'
    if (!after.has(name)) return 'removed'
    return before.get(name).text === after.get(name).text ? undefined : 'changed'
  }
  return names.flatMap((name) => {
    const what = change(name)
    return what === undefined ? [] : [{ name: `${of}.${name}`, what, files: named.get(`${of}.${name}`) ?? [] }]
  })
}
