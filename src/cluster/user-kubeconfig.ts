// Adds a cluster's context to the user's own kubeconfig, and removes it, as kind does. Other entries and comments stay.
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Document, YAMLMap, YAMLSeq } from 'yaml'

const lists = ['clusters', 'contexts', 'users'] as const

/**
 * Merges the entries of `text`, a kubeconfig with one context, into the file and makes that context the current one. Returns the
 * context that was current before. Throws, and changes nothing, where the file is not a kubeconfig.
 */
export async function mergeContext(path: string, text: string): Promise<string | undefined> {
  const { parse } = await import('yaml')
  const added = parse(text) as Record<(typeof lists)[number], { readonly name: string }[]> & { readonly 'current-context': string }
  return edit(path, (config) => {
    const name = added['current-context']
    const previous = config.get('current-context')
    for (const list of lists) {
      const entries = entriesOf(config, list)
      for (const entry of added[list]) {
        remove(entries, entry.name)
        entries.add(config.createNode(entry))
      }
    }
    config.set('current-context', name)
    return typeof previous === 'string' && previous !== '' && previous !== name ? previous : undefined
  })
}

/**
 * Removes the context with its cluster and user, which have the same name. Where it was the current one, `previous` becomes the
 * current context if it still exists. A missing file is fine.
 */
export async function removeContext(path: string, name: string, previous?: string): Promise<void> {
  if (read(path) === undefined) return
  await edit(path, (config) => {
    for (const list of lists) remove(entriesOf(config, list), name)
    if (config.get('current-context') !== name) return
    const hasPrevious = previous !== undefined && find(entriesOf(config, 'contexts'), previous) >= 0
    config.set('current-context', hasPrevious ? previous : '')
  })
}

/** The server of the context in this file. */
export async function serverOf(path: string, name: string): Promise<string | undefined> {
  const text = read(path)
  if (text === undefined) return undefined
  const { parseDocument } = await import('yaml')
  const config = parseDocument(text)
  const clusters = config.get('clusters')
  const entries = clusters as YAMLSeq<YAMLMap> | undefined
  const index = entries === undefined || entries === null ? -1 : find(entries, name)
  const server = index < 0 ? undefined : entries?.items[index]?.getIn(['cluster', 'server'])
  return typeof server === 'string' ? server : undefined
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`Cannot read kubeconfig ${JSON.stringify(path)}: ${(error as Error).message}`)
  }
}

const find = (entries: YAMLSeq<YAMLMap>, name: string) => entries.items.findIndex((one) => one?.get?.('name') === name)

function remove(entries: YAMLSeq<YAMLMap>, name: string): void {
  for (let index = find(entries, name); index >= 0; index = find(entries, name)) entries.delete(index)
}

function entriesOf(config: Document, list: string): YAMLSeq<YAMLMap> {
  const found = config.get(list)
  if (found !== undefined && found !== null) return found as YAMLSeq<YAMLMap>
  config.set(list, config.createNode([]))
  return config.get(list) as YAMLSeq<YAMLMap>
}

async function edit<T>(path: string, change: (config: Document) => T): Promise<T> {
  const { isMap, isSeq, parseDocument } = await import('yaml')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const release = await lock(path)
  try {
    const config = parseDocument(read(path) || 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: ""\n')
    const isList = (value: unknown) => value === undefined || value === null || isSeq(value)
    if (config.errors.length > 0 || !isMap(config.contents) || !lists.every((list) => isList(config.get(list))))
      throw new Error(`Cannot add to kubeconfig ${JSON.stringify(path)}: it is not a kubeconfig. Choose another with --kubeconfig.`)
    const result = change(config)
    for (const list of lists) {
      const entries = config.get(list)
      if (isSeq(entries)) entries.flow = entries.items.length === 0
    }
    replace(path, config.toString({ lineWidth: 0 }))
    return result
  } finally {
    release()
  }
}

/** Through a symbolic link, and with the permissions that the file has. */
function replace(path: string, text: string): void {
  const exists = read(path) !== undefined
  const target = exists ? realpathSync(path) : path
  const part = `${target}.${process.pid}.part`
  writeFileSync(part, text, { mode: 0o600 })
  if (exists) chmodSync(part, statSync(target).mode & 0o777)
  renameSync(part, target)
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
