// The other ways to install Rollcall: a single executable, the action, the formula, the image.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-executable-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const read = (name: string) => readFileSync(join(root, name), 'utf8')

describe('the single executable', () => {
  it('runs version, and a cluster in the background, without a folder of its own', () => {
    const file = join(folder, 'rollcall')
    execFileSync(process.execPath, [join(root, 'scripts/build-executable.mjs'), file], { stdio: 'pipe' })
    const cwd = join(folder, 'project')
    mkdirSync(cwd)
    // No Node.js on the path: the executable brings its own.
    const env = { HOME: folder, PATH: folder }
    const rollcall = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('rollcall', args, { cwd, env, encoding: 'utf8', timeout: 60_000 })
      return { code: status, output: `${stdout}${stderr}` }
    }
    expect(rollcall('version')).toEqual({ code: 0, output: expect.stringContaining(`rollcall ${version}\n`) })
    try {
      expect(rollcall('up', '--detach', '--memory', '--port', '0')).toEqual({ code: 0, output: expect.stringContaining('Rollcall is up') })
      expect(rollcall('status', '--data-dir', '.rollcall')).toEqual({ code: 0, output: expect.stringContaining('running') })
    } finally {
      expect(rollcall('down')).toEqual({ code: 0, output: expect.stringContaining('is stopped') })
    }
    expect(rollcall('envtest', 'assets', 'assets')).toMatchObject({ code: 0 })
    const standIn = spawnSync(join(cwd, 'assets/kube-apiserver'), ['--help'], { cwd, env, encoding: 'utf8', timeout: 60_000 })
    expect(standIn.stdout).toContain("Rollcall's stand-in for kube-apiserver")
    expect(rollcall('swarm', '--seeds', '2', '--jobs', '2')).toMatchObject({ code: 0 })
  }, 120_000)
})

describe('the action setup-rollcall', () => {
  const { runs, inputs } = parse(read('setup/action.yml')) as {
    readonly inputs: Readonly<Record<string, unknown>>
    readonly runs: { readonly steps: readonly { readonly run: string; readonly env: Readonly<Record<string, string>> }[] }
  }

  it.each([
    ['a version', '0.1.0', 'rollcall@0.1.0'],
    ['a package file', './rollcall-0.1.0.tgz', './rollcall-0.1.0.tgz'],
    ['its own code', 'source', `${root}/setup/../packed.tgz`],
  ])('has steps that run with the inputs that they name, and installs %s', (_, VERSION, installed) => {
    expect(Object.keys(inputs)).toEqual(['version', 'cluster', 'flags'])
    const log = join(folder, 'calls')
    const bin = join(folder, 'bin')
    rmSync(log, { force: true })
    rmSync(join(folder, 'output'), { force: true })
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n[ "$1" = pack ] && echo packed.tgz || echo npm "$@" >> "${log}"\n`, { mode: 0o755 })
    writeFileSync(join(bin, 'rollcall'), `#!/bin/sh\necho rollcall "$@" >> "${log}"\n`, { mode: 0o755 })
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      GITHUB_ACTION_PATH: join(root, 'setup'),
      VERSION,
      FLAGS: "--nodes 10 --seed '7'",
      DATA: '/data',
      GITHUB_OUTPUT: join(folder, 'output'),
    }
    for (const { run } of runs.steps) execFileSync('bash', ['--norc', '-e', '-o', 'pipefail', '-c', run], { env, cwd: folder })
    expect(readFileSync(log, 'utf8')).toBe(
      `npm install --global --no-audit --no-fund ${installed}\nrollcall version\nrollcall up --detach --memory --data-dir /data --nodes 10 --seed 7\n`,
    )
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('kubeconfig=/data/kubeconfig\n')
  })
})

describe('the formula and the image', () => {
  it('name the version of the package', () => {
    expect(read('deploy/homebrew/rollcall.rb')).toContain(`/rollcall-${version}.tgz`)
    expect(read('deploy/Dockerfile')).toContain(`rollcall:${version}`)
  })

  it('runs as a user other than root, from the installed package', () => {
    const [, final = ''] = read('deploy/Dockerfile').split(/^FROM .* AS build$/m)
    const image = final.slice(final.indexOf('\nFROM '))
    expect(image).toMatch(/^FROM node:[\d.]+-[a-z]+-slim@sha256:[0-9a-f]{64}$/m)
    expect(image).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(image).toMatch(/^ENTRYPOINT \["node", "--max-semi-space-size=4", "\/app\/node_modules\/rollcall\/dist\/rollcall\.mjs"\]$/m)
    expect([...image.matchAll(/^COPY (.+)$/gm)].map(([, words]) => words)).toEqual(['--from=build /app/node_modules ./node_modules'])
  })
})
