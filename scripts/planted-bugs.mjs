// Does the swarm find bugs? Plants one into each controller, in a copy of the sources, and tries seeds until one fails.
//   npm run planted-bugs [-- NAME]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './set-up.mjs'

/** `find` stands once in `file`. */
export const plantedBugs = [
  {
    name: 'Deployment',
    bug: 'terminating pods do not count under `TerminationComplete`',
    file: 'src/controllers/deployment/plan/capacity.ts',
    find: ': replicasAtThisMoment(set) + holding',
    replace: ': replicasAtThisMoment(set)',
  },
  {
    name: 'ReplicaSet',
    bug: 'does not wait until it has heard of its own creations',
    file: 'src/controllers/replica-set/replica-set-controller.ts',
    find: 'const isCacheComplete = expectations.isSatisfied(key)',
    replace: 'const isCacheComplete = expectations !== undefined',
  },
  {
    name: 'StatefulSet',
    bug: 'a rolling update leaves out the first pod',
    file: 'src/controllers/stateful-set/plan/rolling-update.ts',
    find: 'index >= partition; index--',
    replace: 'index > partition; index--',
  },
  {
    name: 'DaemonSet',
    bug: 'does not wait until it has heard of its own creations',
    file: 'src/controllers/daemon-set/daemon-set-controller.ts',
    find: 'const isCacheComplete = expectations.isSatisfied(key)',
    replace: 'const isCacheComplete = expectations !== undefined',
  },
  {
    name: 'Job',
    bug: 'does not count the pods that it has made and not seen yet',
    file: 'src/controllers/job/job-controller.ts',
    find: 'const hidden = expectations.outstandingCreations(key)',
    replace: 'const hidden = 0',
  },
  {
    name: 'CronJob',
    bug: 'starts a Job beside one that works, though that is forbidden',
    file: 'src/controllers/cron-job/plan/plan.ts',
    find: "spec?.concurrencyPolicy === 'Forbid' && active.length > 0",
    replace: "spec?.concurrencyPolicy === 'Forbid' && active.length > 1",
  },
  {
    name: 'lost answers',
    bug: 'tries a creation again without asking whether it was done',
    file: 'src/runtime/unsure-creations.ts',
    find: '(error.status.code ?? 500) >= 500',
    replace: '(error.status.code ?? 500) > 500',
  },
  {
    name: 'disruption',
    bug: 'counts one healthy pod too many',
    file: 'src/controllers/disruption/plan/status.ts',
    find: 'const { currentHealthy, desiredHealthy, expectedPods, disruptedPods, nowMs } = input\n',
    replace:
      'const { desiredHealthy, expectedPods, disruptedPods, nowMs } = input\n  const currentHealthy = Math.min(input.currentHealthy + 1, expectedPods + 1)\n',
  },
  {
    name: 'resource quota',
    bug: 'what was used once stays used',
    file: 'src/controllers/resource-quota/plan/status.ts',
    find: 'if (amount !== undefined) used[name]',
    replace: 'if (amount !== undefined && !Object.hasOwn(before, name)) used[name]',
  },
  {
    name: 'garbage',
    bug: 'leaves what has lost its owner',
    file: 'src/controllers/garbage/plan/collect.ts',
    find: "return { action: 'delete', propagationPolicy: policyOf(item.finalizers), unblockOwners: false }",
    replace: "return policyOf(item.finalizers) === 'Orphan' ? { action: 'drop-references', uids: gone } : none",
  },
]

const mostSeeds = 2000
const shownCharacters = 150

export function plant(source, { file, find, replace }) {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}: choose another text`)
  return parts.join(replace)
}

function tryBug(bug) {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bug-'))
  try {
    for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, bug.file), plant(readFileSync(join(folder, bug.file), 'utf8'), bug))
    const build =
      "import { buildBundle } from './scripts/build.mjs'; await buildBundle({ entryPoints: { rollcall: 'src/cli/main.ts' }, outdir: 'dist' })"
    const built = spawnSync(process.execPath, ['--input-type=module', '-e', build, 'build'], { cwd: folder, encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`The copy with the bug does not build:\n${built.stderr}`)
    const args = ['dist/rollcall.mjs', 'swarm', '--seeds', String(mostSeeds), '--until-failure']
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , wanted] = process.argv
  console.log('| bug | found by seed | what it said |\n| --- | --- | --- |')
  for (const bug of plantedBugs) {
    if (wanted !== undefined && bug.name !== wanted) continue
    const { stderr } = tryBug(bug)
    const [, seed, said] = /^Seed (\d+) fails: (.*)/m.exec(stderr) ?? []
    if (seed === undefined) process.exitCode = 1
    console.log(`| ${bug.name}: ${bug.bug} | ${seed ?? `none up to ${mostSeeds}`} | \`${(said ?? '').slice(0, shownCharacters)}\` |`)
  }
}
