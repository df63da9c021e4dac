import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { mergeContext, removeContext, serverOf } from './user-kubeconfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-user-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
const fileWith = (text?: string) => {
  const path = join(folder, `${++count}`, 'config')
  if (text === undefined) return path
  const flat = join(folder, `config-${count}`)
  writeFileSync(flat, text, { mode: 0o640 })
  return flat
}

const mark = 'extensions: [{ name: rollcall.dev, extension: { provider: rollcall } }]'
const own = (server: string) => `apiVersion: v1
kind: Config
current-context: rollcall-a
clusters: [{ name: rollcall-a, cluster: { server: '${server}', ${mark} } }]
contexts: [{ name: rollcall-a, context: { cluster: rollcall-a, user: rollcall-a, ${mark} } }]
users: [{ name: rollcall-a, user: { token: t, ${mark} } }]
`
const others = `# my clusters
apiVersion: v1
kind: Config
current-context: work
clusters:
- name: work
  cluster: {server: https://work.example}
contexts:
- name: work # daily
  context: {cluster: work, user: me}
users:
- name: me
  user: {token: secret}
preferences: {colors: true}
`
const read = (path: string) => parse(readFileSync(path, 'utf8'))
const names = (path: string, list: string) => read(path)[list].map(({ name }: { name: string }) => name)

describe('the kubeconfig of the user', () => {
  it('is created with the context, readable by its owner only', async () => {
    const path = fileWith()
    expect(await mergeContext(path, own('https://a'))).toBeUndefined()
    expect(read(path)).toEqual(parse(own('https://a')))
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('keeps other entries, comments and permissions, and returns to the context that was current', async () => {
    const path = fileWith(others)
    const previous = await mergeContext(path, own('https://a'))
    expect(previous).toBe('work')
    expect(names(path, 'contexts')).toEqual(['work', 'rollcall-a'])
    expect(read(path)['current-context']).toBe('rollcall-a')
    expect(readFileSync(path, 'utf8')).toMatch(/# my clusters[\s\S]*# daily/)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    await removeContext(path, 'rollcall-a', previous)
    expect(read(path)).toEqual(parse(others))
  })

  it('has one entry after two merges, with the newer server', async () => {
    const path = fileWith(others)
    await mergeContext(path, own('https://old'))
    expect(await mergeContext(path, own('https://new'))).toBeUndefined()
    expect(names(path, 'clusters')).toEqual(['work', 'rollcall-a'])
    expect(await serverOf(path, 'rollcall-a')).toBe('https://new')
  })

  it('keeps the current context that the user has chosen meanwhile', async () => {
    const path = fileWith(others)
    await mergeContext(path, own('https://a'))
    writeFileSync(path, readFileSync(path, 'utf8').replace('current-context: rollcall-a', 'current-context: work'))
    await removeContext(path, 'rollcall-a', 'gone')
    expect(read(path)['current-context']).toBe('work')
  })

  it('has no current context where the previous one has been deleted', async () => {
    const path = fileWith(others)
    await mergeContext(path, own('https://a'))
    await removeContext(path, 'rollcall-a', 'deleted')
    expect(read(path)['current-context']).toBe('')
  })

  it('stays a symbolic link', async () => {
    const target = fileWith(others)
    const link = `${target}-link`
    symlinkSync(target, link)
    await mergeContext(link, own('https://a'))
    expect(names(target, 'users')).toEqual(['me', 'rollcall-a'])
  })

  it('is created where a dangling link leads', async () => {
    const link = join(folder, 'dangling')
    const target = join(folder, 'later', 'config')
    symlinkSync(target, link)
    await mergeContext(link, own('https://a'))
    expect(readlinkSync(link)).toBe(target)
    expect(names(target, 'users')).toEqual(['rollcall-a'])
    expect(statSync(target).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['cluster', 'clusters: [{ name: rollcall-a, cluster: { server: https://mine } }]'],
    ['context', 'contexts: [{ name: rollcall-a, context: { cluster: mine, user: me } }]'],
    ['user', 'users: [{ name: rollcall-a, user: { token: mine } }]'],
    ['cluster, by an alias', 'x: &mine { name: rollcall-a, cluster: { server: https://mine } }\nclusters: [*mine]'],
  ])("keeps the user's own %s of that name", async (_, text) => {
    const path = fileWith(`${text}\ncurrent-context: rollcall-a\n`)
    const before = readFileSync(path, 'utf8')
    const why = /an entry of that name which rollcall has not written. Choose another --name/
    await expect(mergeContext(path, own('https://a'))).rejects.toThrow(why)
    await expect(serverOf(path, 'rollcall-a')).rejects.toThrow(why)
    expect(readFileSync(path, 'utf8')).toBe(before)
    await removeContext(path, 'rollcall-a')
    expect(read(path)).toEqual(parse(before))
  })

  it('keeps an entry that the user has put in the place of ours', async () => {
    const path = fileWith(own('https://a'))
    writeFileSync(path, own('https://mine').replaceAll(`, ${mark}`, ''))
    await removeContext(path, 'rollcall-a')
    expect(names(path, 'users')).toEqual(['rollcall-a'])
    expect(read(path)['current-context']).toBe('rollcall-a')
  })

  it('leaves no draft behind, neither after a failure nor after a crash', async () => {
    const path = join(folder, 'crashed')
    writeFileSync(`${path}.rollcall.part`, 'token')
    await mergeContext(path, own('https://a'))
    const isDraft = (name: string) => name.endsWith('.part')
    expect(readdirSync(folder).filter(isDraft)).toEqual([])
    const directory = join(folder, 'directory')
    mkdirSync(directory)
    await expect(mergeContext(directory, own('https://a'))).rejects.toThrow(/^Cannot read kubeconfig/)
    expect(readdirSync(folder).filter(isDraft)).toEqual([])
  })

  it('may have nothing but comments', async () => {
    const path = fileWith('# mine\n')
    await mergeContext(path, own('https://a'))
    expect(names(path, 'clusters')).toEqual(['rollcall-a'])
  })

  it('is not created by a removal', async () => {
    await removeContext(join(folder, 'missing'), 'rollcall-a')
    expect(() => readFileSync(join(folder, 'missing'))).toThrow(/ENOENT/)
  })

  it.each([
    ['a list', '[1]'],
    ['broken YAML', '{a: [}'],
    ['clusters that are no list', 'clusters: 5'],
    ['two documents', 'clusters: []\n---\nclusters: []'],
    ['an alias of nothing', 'clusters: *a'],
    ['an alias of a list', 'x: &a []\nclusters: *a'],
  ])('is refused and unchanged with %s', async (_, text) => {
    const path = fileWith(text)
    await expect(mergeContext(path, own('https://a'))).rejects.toThrow(/is not a kubeconfig. Choose another with --kubeconfig/)
    await expect(serverOf(path, 'rollcall-a')).rejects.toThrow(/is not a kubeconfig. Choose another with --kubeconfig/)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('merges changes that are made at the same time', async () => {
    const path = fileWith(others)
    const all = ['b', 'c', 'd', 'e']
    await Promise.all(all.map((name) => mergeContext(path, own('https://a').replaceAll('rollcall-a', name))))
    expect(names(path, 'clusters').toSorted()).toEqual(['b', 'c', 'd', 'e', 'work'])
  })
})
