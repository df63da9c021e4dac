// The commands of all pages, as a reader types them.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { pageNames } from '../../scripts/docs.mjs'
import { missing, type RealControlPlane, startRealControlPlane } from '../real-cluster/real-control-plane.ts'
import { type Block, readBlocks, runCommand, writeFiles } from './console-blocks.ts'
import { command, kubectlMinor, root } from './running-cluster.ts'

const folder = mkdtempSync(join(tmpdir(), 'rollcall-docs-'))
const bin = join(folder, 'bin')
const { NODE_TEST_CONTEXT: _, KUBECONFIG: __, ...inherited } = process.env
const pages = (pageNames() as readonly string[]).filter((name) => readBlocks(readFileSync(join(root, 'docs', name), 'utf8')).length > 0)
const patienceMs = 60_000
const missingKubectl = kubectlMinor() === undefined ? 'kubectl 1.32 or newer is not installed' : undefined

beforeAll(() => {
  mkdirSync(bin)
  writeFileSync(join(bin, 'rollcall'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`)
  chmodSync(join(bin, 'rollcall'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

/** A folder of its own, in which rollcall is installed, and a home of its own. */
function openPage(name: string) {
  const home = join(folder, name.replaceAll('/', '-'))
  const cwd = join(home, 'project')
  mkdirSync(join(cwd, 'node_modules'), { recursive: true })
  symlinkSync(root, join(cwd, 'node_modules/rollcall'))
  mkdirSync(join(cwd, 'examples'))
  symlinkSync(join(root, 'examples/simulate'), join(cwd, 'examples/simulate'))
  const env = { ...inherited, HOME: home, XDG_DATA_HOME: join(home, 'data'), NO_COLOR: '1', PATH: `${bin}${delimiter}${inherited['PATH']}` }
  return { cwd, env }
}

async function runBlock({ needs, commands }: Block, cwd: string, env: NodeJS.ProcessEnv): Promise<ChildProcess | undefined> {
  if (needs.includes('background')) {
    expect(commands).toHaveLength(1)
    return spawn('bash', ['-c', `exec ${commands[0]!.typed}`], { cwd, env, stdio: 'ignore' })
  }
  for (const one of commands) {
    const endMs = Date.now() + (needs.includes('eventually') ? patienceMs : 0)
    let problem = await runCommand(one, cwd, env)
    while (problem !== undefined && Date.now() < endMs) {
      await wait(250)
      problem = await runCommand(one, cwd, env)
    }
    expect(problem).toBeUndefined()
  }
  return undefined
}

describe.concurrent.each(pages)('docs/%s', (name) => {
  const blocks = readBlocks(readFileSync(join(root, 'docs', name), 'utf8'))
  const needsKubernetes = blocks.some(({ needs }) => needs.includes('kubernetes'))
  const textOf = ({ commands, files }: Block) => [...commands.map(({ typed }) => typed), ...files.values()].join('\n')
  const needsKubectl = blocks.some((block) => /\bkubectl\b/.test(textOf(block)))
  const lacking = (needsKubernetes ? missing : undefined) ?? (needsKubectl ? missingKubectl : undefined)

  it.skipIf(lacking !== undefined)(
    `shows what its commands print${lacking === undefined ? '' : ` (${lacking})`}`,
    async () => {
      const { cwd, env } = openPage(name)
      const background: ChildProcess[] = []
      let plane: RealControlPlane | undefined
      try {
        if (needsKubernetes) {
          plane = await startRealControlPlane()
          await plane.startControllerManager('*')
          Object.assign(env, { KUBECONFIG: plane.kubeconfig })
        }
        for (const block of blocks) {
          writeFiles(block.files, cwd)
          const started = await runBlock(block, cwd, env)
          if (started) background.push(started)
        }
      } finally {
        for (const one of background) {
          const closed = once(one, 'close')
          if (one.exitCode !== null || one.signalCode !== null) continue
          one.kill()
          await closed
        }
        spawnSync(join(bin, 'rollcall'), ['down', '--all', '--delete-data'], { cwd, env })
        await plane?.stop()
      }
    },
    240_000,
  )
})
