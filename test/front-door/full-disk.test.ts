// A store that cannot write any more, as on a full disk: a limit on the size of files has the same effect.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
