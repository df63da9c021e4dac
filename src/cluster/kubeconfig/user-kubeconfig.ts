// Adds a cluster's context to the user's own kubeconfig, and removes it, as kind does. Other entries and comments stay.
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Alias, Document, YAMLMap, YAMLSeq } from 'yaml'
import { linkTarget, ownExtension } from './kubeconfig.ts'

const lists = ['clusters', 'contexts', 'users'] as const

/** Entries of a list: `- name: a`, with a field that is named as in `fields`. An entry can be an alias of another one. */
type Entries = YAMLSeq<YAMLMap | Alias>

const fields = { clusters: 'cluster', contexts: 'context', users: 'user' } as const

/**
 * Merges the entries of `text`, a kubeconfig with one context, into the file and makes that context the current one. Returns the
 * context that was current before. Throws, and changes nothing, where the file is not a kubeconfig, or has entries of that name which
 * Rollcall has not written.
 */
export async function mergeContext(path: string, text: string): Promise<string | undefined> {
  const { parse } = await import('yaml')
  const added = parse(text) as Record<(typeof lists)[number], { readonly name: string }[]> & { readonly 'current-context': string }
  return edit(path, (config) => {
    const name = added['current-context']
    requireOwn(path, config, name)
    const previous = config.get('current-context')
    for (const list of lists) {
      const entries = entriesOf(config, list)
      for (const entry of added[list]) {
        removeOwn(config, list, entry.name)
        entries.add(config.createNode(entry))
      }
    }
    config.set('current-context', name)
    return typeof previous === 'string' && previous !== '' && previous !== name ? previous : undefined
  })
}

/**
 * Removes the context with its cluster and user, which have the same name, as far as Rollcall has written them. Where it was the current
 * one, `previous` becomes the current context if it still exists. A missing file is fine.
 */
export async function removeContext(path: string, name: string, previous?: string): Promise<void> {
  if (read(path) === undefined) return
  await edit(path, (config) => {
    const hadContext = named(config, 'contexts', name).some((entry) => isOwn('contexts', entry))
    for (const list of lists) removeOwn(config, list, name)
    if (!hadContext || config.get('current-context') !== name || named(config, 'contexts', name).length > 0) return
    const hasPrevious = previous !== undefined && named(config, 'contexts', previous).length > 0
    config.set('current-context', hasPrevious ? previous : '')
  })
}

/**
 * The server of the context in this file, if Rollcall has written it. Throws where the file is not a kubeconfig, or has entries of that
 * name which Rollcall has not written.
 */
export async function serverOf(path: string, name: string): Promise<string | undefined> {
  if (read(path) === undefined) return undefined
  const config = await parseConfig(path)
  requireOwn(path, config, name)
  const [cluster] = named(config, 'clusters', name)
  const server = cluster?.getIn(['cluster', 'server'])
  return typeof server === 'string' ? server : undefined
}

function requireOwn(path: string, config: Document, name: string): void {
  for (const list of lists)
    if (named(config, list, name).some((entry) => !isOwn(list, entry)))
      throw new Error(
        `Cannot add context ${name} to kubeconfig ${JSON.stringify(path)}: its ${list} have an entry of that name which rollcall has not written. Choose another --name, or another file with --kubeconfig.`,
      )
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Cannot read kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}`)
  }
}

/** The entry itself where it is an alias. */
const resolved = (config: Document, entry: YAMLMap | Alias): YAMLMap | undefined => {
  const found: unknown = 'source' in entry && 'resolve' in entry ? entry.resolve(config) : entry
  return typeof (found as YAMLMap | undefined)?.get === 'function' ? (found as YAMLMap) : undefined
}

/** The entries of that name. */
function named(config: Document, list: (typeof lists)[number], name: string): YAMLMap[] {
  const entries = config.get(list) as Entries | undefined | null
  return (entries?.items ?? []).flatMap((one) => {
    const entry = one && resolved(config, one)
    return entry?.get('name') === name ? [entry] : []
  })
}

function isOwn(list: (typeof lists)[number], entry: YAMLMap): boolean {
  const extensions = entry.getIn([fields[list], 'extensions']) as YAMLSeq<YAMLMap> | undefined
  return Array.isArray(extensions?.items) && extensions.items.some((one) => one?.get?.('name') === ownExtension)
}

function removeOwn(config: Document, list: (typeof lists)[number], name: string): void {
  const entries = config.get(list) as Entries | undefined | null
  for (const entry of named(config, list, name)) {
    const index = entries!.items.indexOf(entry)
    if (index >= 0 && isOwn(list, entry)) entries!.delete(index)
  }
}

function entriesOf(config: Document, list: string): Entries {
  const found = config.get(list)
  if (found !== undefined && found !== null) return found as Entries
  config.set(list, config.createNode([]))
  return config.get(list) as Entries
}

const emptyConfig = 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: ""\n'

const notKubeconfig = (path: string) =>
  new Error(`Cannot add to kubeconfig ${JSON.stringify(path)}: it is not a kubeconfig. Choose another with --kubeconfig.`)

async function parseConfig(path: string): Promise<Document> {
  const { isMap, isSeq, parseDocument } = await import('yaml')
  const given = parseDocument(read(path) ?? '')
  // Nothing but comments.
  const config = given.errors.length === 0 && given.contents === null ? parseDocument(emptyConfig) : given
  const isList = (value: unknown) => value === undefined || value === null || isSeq(value)
  if (config.errors.length > 0 || !isMap(config.contents) || !lists.every((list) => isList(config.get(list)))) throw notKubeconfig(path)
  return config
}

async function edit<T>(path: string, change: (config: Document) => T): Promise<T> {
  const { isSeq } = await import('yaml')
  const target = linkTarget(path)
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(`Cannot change kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}. Choose another with --kubeconfig.`)
  }
  const release = await lock(path)
  try {
    const config = await parseConfig(path)
    const result = change(config)
    for (const list of lists) {
      const entries = config.get(list)
      if (isSeq(entries)) entries.flow = entries.items.length === 0
    }
    let text: string
    try {
      text = config.toString({ lineWidth: 0 })
    } catch {
      // An alias of what was removed.
      throw notKubeconfig(path)
    }
    replace(path, target, text)
    return result
  } finally {
    release()
  }
}

/** With the permissions that the file has. The draft has a token: it has one name, so that none is left for good after a crash. */
function replace(path: string, target: string, text: string): void {
  const draft = `${target}.rollcall.part`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    if (read(target) !== undefined) chmodSync(draft, statSync(target).mode & 0o777)
    renameSync(draft, target)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Error(`Cannot write kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}. Choose another with --kubeconfig.`)
  }
}

const lockTries = 60
const lockWaitMs = 50

/** The lock file of kubectl and kind, so that none of them overwrites the change of another. */
async function lock(path: string): Promise<() => void> {
  const file = `${path}.lock`
  for (let attempt = 0; ; attempt++) {
    try {
      closeSync(openSync(file, 'wx', 0o600))
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new Error(`Cannot change kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}. Choose another with --kubeconfig.`)
      if (attempt >= lockTries)
        throw new Error(
          `Cannot change kubeconfig ${JSON.stringify(path)}: it is locked. Delete ${JSON.stringify(file)} if no kubectl is running.`,
        )
      await wait(lockWaitMs)
    }
  }
}
