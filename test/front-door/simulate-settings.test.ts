// `rollcall simulate --compare` and `--advise` as a person or a pipeline calls them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimulateFolder, manifest, type SimulateFolder } from './simulate-folder.ts'

let folder: SimulateFolder
beforeAll(() => {
  folder = createSimulateFolder()
})
afterAll(() => folder?.remove())
const run: SimulateFolder['run'] = (...args) => folder.run(...args)

describe('rollcall simulate --compare and --advise', { timeout: 240_000 }, () => {
  const rollout = ['-f', 'web.yaml', '--to', 'image=web:2', '--startup', '10s', '--stop', '20s']

  it('ranks combinations of settings, with their cost', async () => {
    const { code, stdout, stderr } = await run([
      ...rollout,
      '--compare',
      'maxSurge=0,50%',
      'maxUnavailable=0,1',
      '--price',
      '4cpu16Gi=0.19/h',
    ])
    expect([code, stderr]).toEqual([0, ''])
    const [title, , ...lines] = stdout.split('\n')
    expect(title).toBe('Deployment default/web: 3 combinations of settings, no policy')
    const [upper, lower, ...rows] = lines
    expect(upper).toMatch(/^max +max +peak +node-$/)
    expect(lower).toMatch(/^Surge +Unavailable +pods +complete +available +nodes +minutes +cost$/)
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(rows.slice(0, 3).map((row) => row.split(/ {2,}/, 2).join(' '))).toEqual(['50% 0', '50% 1', '0 1'])
    expect(stdout).toMatch(
      /Left out: 1 combination \(maxSurge 0, maxUnavailable 0, no policy\):\s+spec\.strategy\.rollingUpdate\.maxUnavailable/,
    )
    const wide = await run([...rollout, '--compare', 'maxSurge=0,50%', 'maxUnavailable=0,1'], '', { COLUMNS: '120' })
    expect(wide.stdout).toMatch(/^maxSurge {2}maxUnavailable {2}policy +peak pods +complete +available +nodes +node-minutes$/m)
    const repeated = await run([...rollout, '--compare', 'maxSurge=0,50%', '--compare', 'maxUnavailable=0,1', '-o', 'json'])
    const { combinations, leftOut } = JSON.parse(repeated.stdout)
    expect([combinations.length, leftOut.length]).toEqual([3, 1])
  })

  it('finds a setting that stays within the cap, and prints how to apply it', async () => {
    const { code, stdout } = await run([...rollout, '--advise', '--expect', 'peakPods <= 4', '-o', 'json'])
    const { combinations, best } = JSON.parse(stdout)
    const fit = combinations.filter(({ failures }: { failures: string[] }) => failures.length === 0)
    expect(code).toBe(0)
    // The current maxUnavailable stays.
    expect(best.patch.spec).toEqual({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0 } } })
    expect(fit[0].measures.peakPods).toBe(4)
    expect(fit[0].measures.completeAfterMs).toBe(
      Math.min(...fit.map(({ measures }: { measures: { completeAfterMs: number } }) => measures.completeAfterMs)),
    )
    const printed = await run([...rollout, '--advise'])
    expect(printed.stdout).toMatch(/Choose maxSurge .*\n[\s\S]*kubectl patch deployment web --type merge -p '\{/)
    expect(printed.stdout).toMatch(/expected as of the\s+current\s+settings: peakPods <= 5/)
  })

  it('keeps the strategy Recreate, and no less availability than there is, unless an expectation speaks of it', async () => {
    const recreate = manifest({ replicas: 2 }).replace('spec:', 'spec:\n  strategy: { type: Recreate }')
    writeFileSync(join(folder.path, 'recreate.yaml'), recreate)
    const kept = await run(['-f', 'recreate.yaml', '--to', 'restart', '--advise'])
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('There is nothing to change: these are the current settings.')])
    const advised = async (...expectations: readonly string[]) => {
      const args = expectations.flatMap((text) => ['--expect', text])
      return (await run([...rollout, '--advise', '--policies', 'None', ...args])).stdout.replaceAll(/\s+/g, ' ')
    }
    expect(await advised('peakPods <= 8')).toContain('expected as of the current settings: availability >= 75% (--expect)')
    expect(await advised('peakPods <= 8', 'availability >= 10%')).not.toContain('expected as of')
    expect(await advised('peakOverCap <= 0', 'availability >= 10%')).toContain('expected as of the current settings: peakPods <= 5')
  })

  it('ends with 1 where nothing meets the expectations', async () => {
    const { code, stdout } = await run([...rollout, '--advise', '--expect', 'peakPods <= 1'])
    expect(code).toBe(1)
    expect(stdout).toContain('No setting that was tried meets the expectations.')
  })

  it('keeps the current settings where others are no better', async () => {
    // Without a change, no setting makes a difference.
    const { code, stdout } = await run(['-f', 'web.yaml', '--advise', '-o', 'json'])
    const { combinations, best } = JSON.parse(stdout)
    expect([code, combinations[0].settings]).toEqual([0, { maxSurge: '25%', maxUnavailable: '25%' }])
    expect(best).toMatchObject({ policy: 'None', patch: { spec: {} } })
    writeFileSync(join(folder.path, 'agent.yaml'), manifest({}).replace('Deployment', 'DaemonSet').replace('  replicas: 4\n', ''))
    const daemons = await run(['-f', 'agent.yaml', '--nodes', '4x4cpu16Gi', '--to', 'restart', '--advise'])
    expect(daemons.stdout).toContain('There is nothing to change: these are the current settings.')
  })

  it('tries shares of all nodes for a DaemonSet', async () => {
    writeFileSync(join(folder.path, 'agent.yaml'), manifest({}).replace('Deployment', 'DaemonSet').replace('  replicas: 4\n', ''))
    const tried = ['-f', 'agent.yaml', '--nodes', '12x4cpu16Gi', '--to', 'restart', '--stop', '20s', '--expect', 'availability >= 75%']
    const { stdout } = await run([...tried, '--advise', '-o', 'json'])
    const { combinations } = JSON.parse(stdout) as { combinations: { settings: object; measures: { lowestAvailability: number } }[] }
    const found = combinations.find(({ settings }) => JSON.stringify(settings) === '{"maxSurge":"0","maxUnavailable":"25%"}')
    expect(found?.measures.lowestAvailability).toBe(0.75)
  })

  it('tries the policy that a Deployment has', async () => {
    const active = manifest({}).replace('spec:', 'spec:\n  terminatingAsActive: true')
    writeFileSync(join(folder.path, 'active.yaml'), active)
    const { stdout } = await run(['-f', 'active.yaml', '--to', 'image=web:2', '--stop', '20s', '--advise', '-o', 'json'])
    const { combinations } = JSON.parse(stdout) as { combinations: { policy: string }[] }
    expect(combinations.map(({ policy }) => policy)).toContain('TerminationComplete+terminatingAsActive')
  })

  it('names the assumptions of the settings that were simulated', async () => {
    const assumed = async (...choices: readonly string[]) => {
      const { stdout } = await run(['-f', 'web.yaml', '--to', 'image=web:2', '--compare', ...choices, '-o', 'json'])
      return (JSON.parse(stdout).assumptions as string[]).filter((text) => text.startsWith('pods stop'))
    }
    expect(await assumed('preStop=5s,10s')).toEqual(['pods stop 1s±500ms after their preStop hook (--stop)'])
    expect(await assumed('gracePeriod=60s,90s')).toEqual([
      'pods stop within 20s±10s, a third of their grace period of 60s (--stop)',
      'pods stop within 30s±15s, a third of their grace period of 90s (--stop)',
    ])
  })
})
