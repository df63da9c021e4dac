import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCredentials } from '../credentials/credentials.ts'
import { formatKubeconfig, requireReplaceable, requireUnused } from './kubeconfig.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-kubeconfig-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ours = formatKubeconfig({ url: 'https://127.0.0.1:1', credentials: createCredentials(['localhost'], 0) })

describe('requireReplaceable()', () => {
  it.each([
    ['a path without a file', undefined],
    ['an empty file', '\n'],
    ['a kubeconfig of ours', ours],
    [
      'one of ours that kubectl has rewritten',
      'apiVersion: v1\nclusters:\n- cluster:\n    extensions:\n    - extension:\n        provider: rollcall\n      name: rollcall.dev\n    server: https://x\n  name: rollcall\nkind: Config\n',
    ],
  ])('passes %s', async (what, text) => {
    const path = join(folder, what)
    if (text !== undefined) writeFileSync(path, text)
    await expect(requireReplaceable(path)).resolves.toBeUndefined()
  })

  it.each([
    [
      "a cluster of the user's own called rollcall",
      'clusters: [{name: rollcall, cluster: {}}]',
      'the existing file has other clusters (rollcall)',
    ],
    ['odd clusters', 'clusters: [null, {name: {a: 1}}]', 'the existing file has other clusters (one without a name, one without a name)'],
    ['other clusters', 'clusters: [{name: prod}, {name: rollcall}]', 'the existing file has other clusters (prod, rollcall)'],
    ['another document', '{"a": 1}', 'the existing file is not a kubeconfig'],
    ['no document', 'a: [', 'the existing file is not a kubeconfig'],
  ])('refuses %s', async (what, text, why) => {
    const path = join(folder, what)
    writeFileSync(path, text)
    await expect(requireReplaceable(path)).rejects.toThrow(
      `Cannot write kubeconfig ${JSON.stringify(path)}: ${why}. Choose another with --kubeconfig.`,
    )
  })
})

describe('requireUnused()', () => {
  let server: Server
  const path = join(folder, 'used')
  const credentials = createCredentials(['localhost'], 0)
  // The parent process: it is running, and is not this process.
  const other = process.ppid

  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return () => server.close()
  })
  const urlOf = (port = (server.address() as AddressInfo).port) => `https://127.0.0.1:${port}`

  it('refuses the file of a cluster that runs', async () => {
    writeFileSync(path, formatKubeconfig({ url: urlOf(), credentials, process: other }))
    await expect(requireUnused(path)).rejects.toThrow(
      `Cannot write kubeconfig ${JSON.stringify(path)}: the cluster of process ${other} is using it. Choose another with --kubeconfig.`,
    )
  })

  it.each([
    ['of a process that has gone', () => formatKubeconfig({ url: urlOf(), credentials, process: 2 ** 22 + 1 })],
    ['of a number that another process has got', () => formatKubeconfig({ url: urlOf(1), credentials, process: other })],
    ['of this process', () => formatKubeconfig({ url: urlOf(), credentials, process: process.pid })],
    ['that names no process', () => formatKubeconfig({ url: urlOf(), credentials })],
  ])('passes a file %s', async (_, text) => {
    writeFileSync(path, text())
    await expect(requireUnused(path)).resolves.toBeUndefined()
  })

  it('passes a path without a file', async () => {
    await expect(requireUnused(join(folder, 'none'))).resolves.toBeUndefined()
  })
})
