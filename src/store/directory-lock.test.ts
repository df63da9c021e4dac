import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimDirectory } from './directory-lock.ts'

describe('claimDirectory()', () => {
  let directory: string
  beforeEach(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'rollcall-lock-')))
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const claim = () => claimDirectory(directory, 'dir')
  const locks = () => readdirSync(directory).sort()

  it('allows one owner at a time, and leaves one lock file', () => {
    for (let round = 1; round <= 3; round++) {
      const release = claim()
      expect(() => claim()).toThrow(`Cannot open the store: directory "dir" is in use by process ${process.pid}`)
      release()
      expect(locks()).toEqual([`lock-${round}`])
    }
  })

  it('takes over from an owner on another host that has not renewed its lock', () => {
    writeFileSync(join(directory, 'lock-7'), '12\nanother machine\n34\n')
    utimesSync(join(directory, 'lock-7'), 1, 1)
    claim()()
    expect(locks()).toEqual(['lock-8'])
  })

  it('takes over when the pid of the owner belongs to a later process', () => {
    const release = claim()
    const [lock] = locks()
    const [, realm] = readFileSync(join(directory, lock!), 'utf8').split('\n')
    release()
    writeFileSync(join(directory, 'lock-7'), `${process.ppid}\n${realm}\n1\n`)
    claim()()
    expect(locks()).toEqual(['lock-8'])
  })

  it('refuses while an owner on another host renews its lock, and says what to do', () => {
    writeFileSync(join(directory, 'lock-7'), '12\nanother machine\n34\n')
    expect(() => claim()).toThrow(
      'directory "dir" is in use by process 12 on another host or in another container; if that one has ended, wait 30 s or delete "dir/lock-7"',
    )
  })

  it('succeeds for exactly one of many processes', async () => {
    // Each claims the directory, prints the outcome, and holds it until its input ends.
    const script = join(directory, 'claim.mjs')
    const { build } = await import('esbuild')
    await build({
      stdin: {
        contents: `import { claimDirectory } from './directory-lock.ts'
          try { claimDirectory(process.argv[2], 'dir'); console.log('has it') } catch (error) { console.log(error.message) }
          process.stdin.resume()`,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    })
    writeFileSync(join(directory, 'lock-3'), '')
    const children = Array.from({ length: 6 }, () => spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] }))
    const answers = await Promise.all(children.map(async ({ stdout }) => String((await once(stdout!, 'data'))[0]).trim()))
    for (const child of children) child.stdin!.end()
    await Promise.all(children.map((child) => once(child, 'exit')))
    expect(answers.filter((answer) => answer === 'has it')).toHaveLength(1)
    expect(answers.filter((answer) => answer.includes('is in use by process'))).toHaveLength(5)
  })
})
