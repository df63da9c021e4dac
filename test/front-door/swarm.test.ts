// `rollcall swarm`. ROLLCALL_SEEDS is the number of seeds; the project's CI tries five thousand.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { command } from './running-cluster.ts'

const run = promisify(execFile)
const seeds = Number(process.env['ROLLCALL_SEEDS'] ?? 200)
const swarm = (...args: readonly string[]) => run(process.execPath, [command, 'swarm', ...args], { maxBuffer: 2 ** 26 })

describe('rollcall swarm', () => {
  it(`holds what must hold under ${seeds} seeds`, { timeout: 60_000 + seeds * 1000 }, async () => {
    const { stdout, stderr } = await swarm('--seeds', String(seeds))
    expect(stdout).toMatch(new RegExp(`^${seeds} seeds from 1 on, all pass \\(`))
    expect(stderr).toBe('')
  })

  it('gives the same trace in two processes', async () => {
    const [first, second] = await Promise.all([swarm('--seed', '5'), swarm('--seed', '5')])
    expect(first.stdout).toMatch(/^\+0s create /m)
    expect(first.stdout).toMatch(/\nSeed 5 passes\.\n$/)
    expect(second.stdout).toBe(first.stdout)
  })
})
