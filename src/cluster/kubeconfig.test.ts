import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCredentials } from './credentials.ts'
import { formatKubeconfig, requireReplaceable } from './kubeconfig.ts'

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
      'apiVersion: v1\nclusters:\n- cluster:\n    server: https://x\n  name: rollcall\nkind: Config\n',
    ],
  ])('passes %s', async (what, text) => {
    const path = join(folder, what)
    if (text !== undefined) writeFileSync(path, text)
    await expect(requireReplaceable(path)).resolves.toBeUndefined()
  })

  it.each([
    ['other clusters', 'clusters: [{name: prod}, {name: rollcall}]', 'it holds other clusters (prod), which would be lost'],
    ['another document', '{"a": 1}', 'a file that is no kubeconfig is there'],
    ['no document', 'a: [', 'a file that is no kubeconfig is there'],
  ])('refuses %s', async (what, text, why) => {
    const path = join(folder, what)
    writeFileSync(path, text)
    await expect(requireReplaceable(path)).rejects.toThrow(
      `Cannot write kubeconfig ${JSON.stringify(path)}: ${why}; choose another with --kubeconfig`,
    )
  })
})
