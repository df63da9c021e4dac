// The files of a durable cluster, damaged and repaired, as a user sees it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { command, startCluster } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

const path = '/api/v1/namespaces/default/configmaps'

describe('rollcall store', () => {
  it('reports damage, drops it, and keeps a backup of the files', { timeout: 120_000 }, async () => {
    const first = await startCluster([], folder)
    for (let at = 0; at < 30; at++) {
      const { code } = await first.ask('POST', path, { metadata: { name: `map-${at}` }, data: { text: `text of ${at}` } })
      expect(code).toBe(201)
    }
    await first.end('SIGKILL')
    expect(run('store', 'verify', folder)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/No damage: \d+ objects at revision \d+\./),
    })

    const journal = join(folder, 'store', 'journal-00000001')
    const bytes = readFileSync(journal)
    bytes[bytes.indexOf('text of 20')]! ^= 1
    writeFileSync(journal, bytes)

    const refused = run('up', '--port', '0', '--nodes', '0', '--data-dir', folder)
    expect(refused.status).toBe(1)
    expect(refused.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^error: Cannot open the store: file ".*journal-00000001" is damaged at byte \d+; "rollcall store verify .*" reports what is affected, and "rollcall store repair --drop-damaged .*" drops it\.$/,
      ),
    ])
    expect(run('store', 'verify', folder)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/damaged: file "journal-00000001" is damaged at byte \d+; lost: all writes after revision \d+/),
    })
    expect(run('store', 'repair', folder)).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Nothing was changed. Use --drop-damaged'),
    })
    const repaired = run('store', 'repair', '--drop-damaged', folder)
    expect(repaired).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`The original files are in ${join(folder, 'store', 'damaged-1')}.`),
    })
    expect(readFileSync(join(folder, 'store', 'damaged-1', 'journal-00000001')).equals(bytes)).toBe(true)

    const second = await startCluster([], folder)
    expect((await second.ask('GET', `${path}/map-19`)).code).toBe(200)
    expect((await second.ask('GET', `${path}/map-20`)).code).toBe(404)
    expect(run('store', 'verify', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`is in use by process ${second.process.pid}`),
    })
    await second.end('SIGTERM')
    expect(run('store', 'verify', folder).status).toBe(0)
  })

  it('refuses what it cannot read in one line', () => {
    expect(run('store', 'verify', join(folder, 'none'))).toEqual({
      status: 1,
      stdout: '',
      stderr: `error: Cannot read the store: there is no directory "${join(folder, 'none')}".\n`,
    })
  })
})
