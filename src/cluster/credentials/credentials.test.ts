import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../base/clock.ts'
import { expiryOf } from './certificates.ts'
import { type Credentials, keepCredentialsValid, localHosts, readOrCreateCredentials } from './credentials.ts'

const dayMs = 86_400_000
const startMs = Date.parse('2026-05-01T10:00:00Z')

/** Timers run when time passes, one after the other. */
class ManualClock implements Clock {
  #nowMs = startMs
  #timers: { readonly atMs: number; readonly run: () => void }[] = []

  now = () => this.#nowMs

  after(delayMs: number, run: () => void) {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  async pass(days: number): Promise<void> {
    const endMs = this.#nowMs + days * dayMs
    for (;;) {
      const next = this.#timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#nowMs = next.atMs
      next.run()
      await Promise.resolve()
    }
    this.#nowMs = endMs
  }
}

describe('credentials', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'credentials-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const read = (days: number, hosts = localHosts) => readOrCreateCredentials(folder, hosts, startMs + days * dayMs)
  const pairs = ['authority', 'server', 'admin'] as const
  const certificatesOf = (credentials: Credentials) => pairs.map((one) => credentials[one].certificate)

  it('stay the same while they are valid for another 30 days', () => {
    const first = read(0)
    expect(read(3620)).toEqual(first)
  })

  it('are renewed at a start, before they expire', () => {
    const first = read(0)
    const second = read(3621)
    for (const pair of pairs) expect(expiryOf(second[pair])).toBe(startMs + (3621 + 3650) * dayMs)
    expect(second.token).toBe(first.token)
    expect(read(3622)).toEqual(second)
    expect(certificatesOf(second)).toEqual(['ca', 'server', 'admin'].map((name) => readFileSync(join(folder, `${name}.crt`), 'utf8')))
  })

  it('keep the key of the authority: old client certificates stay valid, and clients that trust the old authority trust the new one', () => {
    const first = read(0)
    const second = read(3640)
    const key = new X509Certificate(second.authority.certificate).publicKey
    expect(new X509Certificate(first.admin.certificate).verify(key)).toBe(true)
    expect(new X509Certificate(second.server.certificate).checkIssued(new X509Certificate(first.authority.certificate))).toBe(true)
  })

  it('get a server certificate that names a new host', () => {
    const first = read(0)
    const second = read(0, [...localHosts, '10.1.2.3'])
    expect(new X509Certificate(second.server.certificate).checkIP('10.1.2.3')).toBe('10.1.2.3')
    expect([second.authority, second.admin]).toEqual([first.authority, first.admin])
  })

  it.each([
    ['token', '', /^Cannot use token file ".*token": it is empty\. Restore it, or delete the folder for new credentials\.$/],
    ['token', ' \n', /^Cannot use token file ".*token": it is empty\./],
    ['ca.crt', 'nonsense', /^Cannot use certificate ".*ca\.crt": it or its key is damaged\./],
    ['admin.key', '', /^Cannot use certificate ".*admin\.crt": it or its key is damaged\./],
  ])('are refused with a %s of %j', (name, text, message) => {
    read(0)
    writeFileSync(join(folder, name), text)
    expect(() => read(0)).toThrow(message)
  })

  it('are refused with the key of another certificate', () => {
    const { server } = read(0)
    writeFileSync(join(folder, 'ca.key'), server.key)
    expect(() => read(0)).toThrow(/^Cannot use certificate ".*ca\.crt": it does not belong to its key\./)
  })

  it('are renewed while the cluster runs, once', async () => {
    const clock = new ManualClock()
    const first = read(0)
    const renewed: Credentials[] = []
    const failures: unknown[] = []
    const stop = keepCredentialsValid({ folder, hosts: localHosts, clock, onFailure: (error) => failures.push(error) }, first, (one) => {
      renewed.push(one)
    })
    await clock.pass(3600)
    expect(renewed).toEqual([])
    await clock.pass(100)
    expect(renewed).toHaveLength(1)
    expect(expiryOf(renewed[0]!.admin)).toBeGreaterThan(startMs + 7000 * dayMs)
    await clock.pass(3530)
    writeFileSync(join(folder, 'token'), '')
    await clock.pass(20)
    expect(renewed).toHaveLength(1)
    expect(failures[0]).toMatchObject({ message: expect.stringContaining('it is empty') as string })
    stop()
    await clock.pass(10_000)
    expect(renewed).toHaveLength(1)
  })
})
