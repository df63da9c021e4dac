// The check of a pull request: the manifests that it changes are simulated, old against new, and described in Markdown.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { command, root } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-pull-request-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "${image}" }] }
`
const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
const simulateChanges = (flags = '') =>
  spawnSync(process.execPath, [join(root, 'deploy/action/simulate-changes.mjs')], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, BASE: 'HEAD', FLAGS: flags, ROLLCALL: `${process.execPath} ${command}` },
  })

describe('a pull request', () => {
  git('init', '-q')
  writeFileSync(join(folder, 'web.yaml'), manifest('web:1'))
  writeFileSync(join(folder, 'values.yaml'), 'replicas: 4\n')
  git('add', '.')
  git('commit', '-qm', 'first')

  it('that changes no workload has nothing to simulate', () => {
    writeFileSync(join(folder, 'values.yaml'), 'replicas: 5\n')
    expect(simulateChanges()).toMatchObject({ status: 0, stdout: 'No workload changed, so there is no rollout to simulate.\n' })
  })

  it('that changes an image gets the table, the advice and a chart', () => {
    writeFileSync(join(folder, 'web.yaml'), manifest('web:2'))
    const { status, stdout } = simulateChanges(
      "--startup 10s --stop 20s --policies None,TerminationComplete --expect 'completesWithin 10m'",
    )
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\*\*web\.yaml\*\*\n\n<!-- rollcall\.markdown\/1 -->\n### Deployment default\/web/)
    expect(stdout).toContain('| | No policy | TerminationComplete |\n|---|--:|--:|\n| Peak pods |')
    expect(stdout).toMatch(/```text\n[\s\S]*█[\s\S]*```/)
  })

  it('that does not meet an expectation fails, and says which', () => {
    const { status, stdout } = simulateChanges("--expect 'peakPods <= 1'")
    expect(status).toBe(1)
    expect(stdout).toMatch(/- ✗ \*\*No policy\*\*: peakPods \\<= 1: it is/)
  })

  it.each([
    ['a version', 'latest', "npx --yes --package 'rollcall@latest' rollcall"],
    ['a package file', './rollcall-0.1.0.tgz', "npx --yes --package './rollcall-0.1.0.tgz' rollcall"],
    ['its own code', 'source', "npx --yes --package '/action/packed.tgz' rollcall"],
  ])('is simulated by an action with %s', (_, VERSION, called) => {
    const bin = mkdtempSync(join(tmpdir(), 'rollcall-action-'))
    try {
      writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho packed.tgz\n', { mode: 0o755 })
      writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "$ROLLCALL"\n', { mode: 0o755 })
      const [step] = parse(readFileSync(join(root, 'action.yml'), 'utf8')).runs.steps as [{ run: string }]
      const [OUT, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY] = ['out', 'output', 'summary'].map((name) => join(bin, name)) as [
        string,
        string,
        string,
      ]
      const env = { PATH: `${bin}:/usr/bin:/bin`, GITHUB_ACTION_PATH: '/action', VERSION, OUT, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY }
      const run = step.run.replaceAll('cd "$GITHUB_ACTION_PATH"', 'cd /')
      expect(spawnSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', run], { env, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      })
      expect(readFileSync(OUT, 'utf8')).toBe(`${called}\n`)
    } finally {
      rmSync(bin, { recursive: true, force: true })
    }
  })

  it('is served by an action whose inputs are described', () => {
    const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
    expect(action.runs.using).toBe('composite')
    for (const input of Object.values(action.inputs)) expect(input).toMatchObject({ description: expect.any(String) })
  })
})
