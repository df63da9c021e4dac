// The completion scripts, in the shells that read them.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-completion-'))
const bin = join(folder, 'bin')
const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder }
const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

beforeAll(() => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'rollcall'), `#!/bin/sh\nexec '${process.execPath}' '${resolve(command)}' "$@"\n`)
  chmodSync(join(bin, 'rollcall'), 0o755)
  for (const shell of ['bash', 'fish'])
    writeFileSync(join(folder, `script.${shell}`), spawnSync(process.execPath, [command, 'completion', shell], { encoding: 'utf8' }).stdout)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (shell: string, script: string, ...args: readonly string[]) => {
  const { stdout, stderr } = spawnSync(shell, [...(shell === 'bash' ? ['--norc'] : ['--no-config']), '-c', script, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { stderr, candidates: stdout.split('\n').filter((line) => line !== '') }
}

/** What a line is completed with. Bash splits words at `=`, and replaces only the last part. */
const bash = (...words: readonly string[]) =>
  run(
    'bash',
    `source "$0"; COMP_WORDS=(rollcall "$@"); COMP_CWORD=$#; _rollcall; printf '%s\\n' "\${COMPREPLY[@]}"`,
    join(folder, 'script.bash'),
    ...words,
  )

describe('rollcall completion', () => {
  it.each([
    ['commands', ['sim'], ['simulate']],
    ['policies', ['simulate', '--policies', 'No'], ['None']],
    ['another policy', ['simulate', '--policies', 'TerminationStarted,No'], ['TerminationStarted,None']],
    ['policies behind =', ['simulate', '--policies', '=', 'P'], ['Pacer', 'Pacer+evictions']],
    ['all that can stand behind =', ['pacer', '--log-level', '='], ['debug', 'info', 'warn', 'error']],
    ['a feature gate', ['up', '--feature-gates', 'AllB'], ['AllBeta=true', 'AllBeta=false']],
    ['an admission plugin', ['up', '--enable-admission-plugins', 'Ser'], ['ServiceAccount']],
    ['another feature gate', ['up', '--feature-gates', 'AllAlpha', '=', 'true,AllB'], ['true,AllBeta=true', 'true,AllBeta=false']],
    ['a flag after a value with = and :', ['simulate', '--to', 'image', '=', 'web', ':', '2', '--juni'], ['--junit']],
    ['no value that is free, so that bash completes file names', ['simulate', '--report', 'x'], []],
  ])('completes in bash: %s', (_, words, candidates) => {
    expect(bash(...words)).toEqual({ stderr: '', candidates })
  })

  it.skipIf(!isInstalled('fish'))('completes in fish', () => {
    const fish = (line: string) =>
      run('fish', `source ${folder}/script.fish; complete -C '${line}' | string replace -r '\\t.*' ''`).candidates
    expect(fish('rollcall simulate --policies No')).toEqual(['None'])
    expect(fish('rollcall simulate --policies=TerminationStarted,No')).toEqual(['--policies=TerminationStarted,None'])
  })
})
