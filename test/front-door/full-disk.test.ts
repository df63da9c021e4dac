// A store that cannot write any more, as on a full disk: a limit on the size of files has the same effect.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startCluster } from './running-cluster.ts'

const path = '/api/v1/namespaces/default/configmaps'
const configMap = { metadata: { name: 'large' }, data: { fill: 'x'.repeat(200_000) } }

describe.skipIf(process.platform === 'win32')('a cluster whose disk is full', () => {
  it('refuses writes, answers reads, and is not ready, but alive', async () => {
    // The unit is 512 or 1,024 bytes, depending on the shell.
    const limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 4000; exec "$@"', 'sh']
    const cluster = await startCluster([], mkdtempSync(join(tmpdir(), 'rollcall-')), limited)
    expect((await cluster.ask('GET', '/readyz?verbose')).text).toContain('[+]store ok')
    const codes: number[] = [(await cluster.ask('POST', path, configMap)).code]
    while (codes.at(-1)! < 500 && codes.length < 200)
      codes.push((await cluster.ask('PUT', `${path}/large`, { ...configMap, data: { ...configMap.data, n: String(codes.length) } })).code)
    expect(codes.at(-1)).toBe(500)
    expect(await cluster.ask('GET', '/readyz')).toMatchObject({
      code: 500,
      text: expect.stringContaining('[-]store failed: reason withheld') as string,
    })
    expect((await cluster.ask('GET', '/readyz/store')).text).toMatch(/^internal server error: EFBIG/)
    expect((await cluster.ask('GET', '/livez')).code).toBe(200)
    expect((await cluster.ask('GET', `${path}/large`)).json).toMatchObject({ data: { n: String(codes.length - 2) } })
    await cluster.end('SIGKILL')
    await cluster.stop()
  })
})

// Only root may mount a small disk.
describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)('a cluster on a disk of its own that is full', () => {
  it('starts again after kill -9, deletes, and then has room', async () => {
    const disk = mkdtempSync(join(tmpdir(), 'rollcall-disk-'))
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', disk]).status).toBe(0)
    try {
      const folder = join(disk, 'data')
      const first = await startCluster([], folder)
      await vi.waitUntil(() => existsSync(join(folder, 'store/reserve')), { timeout: 30_000 })
      const name = (n: number) => `${path}/large-${n}`
      let made = 0
      while ((await first.ask('POST', path, { ...configMap, metadata: { name: `large-${made}` } })).code === 201) made++
      expect(made).toBeGreaterThan(10)
      await first.end('SIGKILL')
      // Not a byte is left for the small files of a start.
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'other')}`, 'bs=4k'])
      const second = await startCluster([], folder)
      expect((await second.ask('POST', path, configMap)).json).toMatchObject({
        code: 500,
        message: expect.stringContaining('the disk is full, and only deletions are accepted until 4 MiB are free') as string,
      })
      for (let n = 0; n < made; n++) expect((await second.ask('DELETE', name(n))).code).toBe(200)
      rmSync(join(disk, 'other'))
      await vi.waitUntil(async () => (await second.ask('GET', '/readyz')).code === 200, { timeout: 60_000, interval: 100 })
      expect((await second.ask('POST', path, configMap)).code).toBe(201)
      await second.end('SIGTERM')
      await second.stop()
    } finally {
      spawnSync('umount', [disk])
    }
  })
})
