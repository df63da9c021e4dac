// Simulates, for each manifest with a workload that was changed since BASE, the rollout from the old version to the new one, and
// prints Markdown. Ends with the highest exit code of the simulations.
//
// Environment: BASE, a commit; PATHS, a glob of git; FLAGS, further flags of rollcall simulate; ROLLCALL, how to call it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const { BASE = 'HEAD~1', PATHS = '*.yaml', FLAGS = '', ROLLCALL = 'npx --yes rollcall' } = process.env
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const workload = /^kind: *["']?(?:Deployment|StatefulSet|DaemonSet)\b/m

/** As a shell splits them: quotes keep words together. */
const words = (text) => [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare)

const changed = git('diff', '--name-only', '--diff-filter=M', '-z', BASE, '--', PATHS).split('\0').filter(Boolean)
const folder = mkdtempSync(join(tmpdir(), 'rollcall-changes-'))
let worst = 0
let found = 0
for (const path of changed) {
  const before = git('show', `${BASE}:${path}`)
  const after = readFileSync(path, 'utf8')
  if (!workload.test(before) || !workload.test(after)) continue
  found++
  const [old, out] = [join(folder, basename(path)), join(folder, 'out.md')]
  writeFileSync(old, before)
  const [program, ...first] = words(ROLLCALL)
  const { status, stderr } = spawnSync(program, [...first, 'simulate', '-f', old, '--to', path, '--markdown', out, ...words(FLAGS)], {
    encoding: 'utf8',
  })
  worst = Math.max(worst, status ?? 1)
  process.stdout.write(`**${path}**\n\n`)
  try {
    process.stdout.write(`${readFileSync(out, 'utf8')}\n`)
    rmSync(out)
  } catch {
    process.stdout.write(`Not simulated: ${stderr.trim()}\n\n`)
  }
}
if (found === 0) process.stdout.write('No workload changed, so there is no rollout to simulate.\n')
rmSync(folder, { recursive: true })
process.exitCode = worst
