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
    find: ': replicas + holding - held',
    replace: ': replicas - 0 * held',
  },
  {
    name: 'twins',
    bug: 'of two ReplicaSets of one template and second, the one with the lower revision is the new one',
    file: 'src/controllers/deployment/plan/replica-sets.ts',
    find: "  const [nameA, nameB] = [a.metadata?.name ?? '', b.metadata?.name ?? '']\n",
    replace:
      "  const revision = (set: ReplicaSet) => Number(set.metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0)\n  if (revision(a) !== revision(b)) return revision(a) - revision(b)\n  const [nameA, nameB] = [a.metadata?.name ?? '', b.metadata?.name ?? '']\n",
  },
  {
    name: 'pending scale',
    bug: 'a pending scale holds up a rollback or a new template',
    file: 'src/controllers/deployment/plan/scale-state.ts',
    find: 'if (isPending && !isPaused) {',
    replace: 'if (isPending && isPaused) {',
  },
  {
    name: 'ReplicaSet being deleted',
    bug: 'a rollout is complete while its ReplicaSet is being deleted',
    file: 'src/controllers/deployment/plan/progress.ts',
    find: 'policy !== undefined && newSet?.metadata?.deletionTimestamp !== undefined',
    replace: 'policy !== undefined && newSet === null',
  },
  {
    name: 'counted twice',
    bug: 'a terminating pod that its ReplicaSet waits for takes the room of two',
    file: 'src/controllers/deployment/plan/capacity.ts',
    find: 'const held = isWaitingForTerminating(set, snapshot) ? replacements : 0',
    replace: 'const held = size < 0 && isWaitingForTerminating(set, snapshot) ? replacements : 0',
  },
  {
    name: 'switched off',
    bug: 'a scale counts terminating pods as before `terminatingAsActive` was switched off with it',
    file: 'src/controllers/deployment/plan/deployment.ts',
    find: 'accountOf(snapshot, sets)',
    replace: 'accountOf(snapshot, snapshot.replicaSets)',
  },
  {
    name: 'terminatingAsActive',
    bug: 'alone, it does not hold back a rollout',
    file: 'src/controllers/deployment/plan/settings.ts',
    find: "policy: isAsActive ? 'TerminationComplete' : policy.value,",
    replace: 'policy: policy.value,',
  },
  {
    name: 'pause',
    bug: 'a paused Deployment is scaled at every sync',
    file: 'src/controllers/deployment/plan/deployment.ts',
    find: "const isDue = settings.policy !== 'TerminationComplete' ||",
    replace: "const isDue = true || settings.policy !== 'TerminationComplete' ||",
  },
  {
    name: 'completion',
    bug: 'a rollout is complete while old pods terminate',
    file: 'src/controllers/deployment/plan/progress.ts',
    find: "(policy !== 'TerminationComplete' || account.pods === replicas)",
    replace: '(policy !== undefined || account.cap >= 0)',
  },
  {
    name: 'hidden pods',
    bug: 'a rollout is complete while an old ReplicaSet may have pods that it has not reported',
    file: 'src/controllers/deployment/plan/capacity.ts',
    find: 'isObserved(set) ? 0 : (countOf(set, unreportedReplicasAnnotation) ?? 0)',
    replace: '0',
  },
  {
    name: 'lost nodes',
    bug: 'a completed rollout of a DaemonSet is reopened',
    file: 'src/controllers/shared/plan/progressing.ts',
    find: 'if (before !== undefined && wasComplete && !isNewGoal && !isNewRevision) return',
    replace: 'if (before !== undefined && wasComplete && !isNewGoal && !isNewRevision && input.hasProgressed) return',
  },
  {
    name: 'lost count',
    bug: 'a terminatingReplicas that another client dropped is not restored',
    file: 'src/controllers/replica-set/plan/status.ts',
    find: 'current.terminatingReplicas === terminatingReplicas &&',
    replace: '(current.terminatingReplicas ?? 0) === (terminatingReplicas ?? 0) &&',
  },
  {
    name: 'deleted ReplicaSet',
    bug: 'its pods do not count',
    file: 'src/controllers/deployment/plan/capacity.ts',
    find: 'strays: isStuck === undefined ? strays.length :',
    replace: 'strays: isStuck === undefined ? 0 :',
  },
  {
    name: 'orphans',
    bug: 'pods that a ReplicaSet is about to adopt do not count',
    file: 'src/controllers/deployment/plan/capacity.ts',
    find: 'deletionTimestamp !== undefined ? 0 : selectedBySet(set, orphans).length',
    replace: 'deletionTimestamp !== undefined ? 0 : 0',
  },
  {
    name: 'late cache',
    bug: 'a deleted ReplicaSet is replaced before the cache has its last pods',
    file: 'src/controllers/deployment/deployment-controller.ts',
    find: 'if ((plan.needsAllPods || evictions',
    replace: 'if ((plan.actions === undefined || evictions',
  },
  {
    name: 'Operational',
    bug: 'the threshold is what may be missing',
    file: 'src/controllers/shared/plan/operational.ts',
    find: 'return available >= requiredReplicas(threshold, desired)',
    replace: "return available >= (threshold === '100%' ? desired : desired - requiredReplicas(threshold, desired))",
  },
  {
    name: 'consistency',
    bug: 'a controller reconciles before its cache has observed its own writes',
    file: 'src/runtime/controller.ts',
    find: 'const waitMs = consistency.waitMs(key)\n',
    replace: 'const waitMs = consistency.waitMs(key) && undefined\n',
  },
  {
    name: 'lost answers',
    bug: 'a controller does not ask whether a write without an answer was carried out',
    file: 'src/runtime/controller.ts',
    find: '      await consistency.findLostAnswers(key)\n',
    replace: '',
  },
  {
    name: 'StatefulSet',
    bug: 'a rolling update leaves out the first pod',
    file: 'src/controllers/stateful-set/plan/rolling-update.ts',
    find: 'index >= partition; index--',
    replace: 'index > partition; index--',
  },
  {
    name: 'CronJob',
    bug: 'starts a Job beside one that works, though that is forbidden',
    file: 'src/controllers/cron-job/plan/plan.ts',
    find: "spec?.concurrencyPolicy === 'Forbid' && active.length > 0",
    replace: "spec?.concurrencyPolicy === 'Forbid' && active.length > 1",
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
  {
    name: 'pacer',
    bug: 'terminating pods do not count',
    file: 'src/controllers/pacer/plan/pacing.ts',
    find: 'const admitted = running + holding.length\n',
    replace: 'const admitted = running\n',
  },
  {
    name: 'pacer, revisions',
    bug: 'the ReplicaSets of a Deployment are paced apart',
    file: 'src/controllers/pacer/pacer.ts',
    find: '        if (deploymentOfSet(set) !== undefined || (await hasUnseenDeployment(set))) {\n',
    replace: '        if (deploymentOfSet(set) === undefined && (await hasUnseenDeployment(set))) {\n',
  },
  {
    name: 'pacer, deleted ReplicaSet',
    bug: 'its pods do not count',
    file: 'src/controllers/pacer/pacer.ts',
    find: '    ...deletedSets.uncountedOf(deployment).strays,\n',
    replace: '',
  },
  {
    name: 'pacer, lost answers',
    bug: 'a release that was refused counts as done',
    file: 'src/controllers/pacer/pacer.ts',
    find: "    if (isStatusError(error, 'NotFound')) return\n",
    replace: '    if (isStatusError(error)) return\n',
  },
  {
    name: 'pacer, wake-up',
    bug: 'a terminating pod that has terminated wakes nothing',
    file: 'src/controllers/pacer/pacer.ts',
    find: '    const pod = (current ?? previous)!\n',
    replace: '    const pod = (current ?? previous)!\n    if (previous?.metadata.deletionTimestamp !== undefined) return\n',
  },
  {
    name: 'pacer, cap',
    bug: 'one pod too many is admitted',
    file: 'src/controllers/pacer/plan/pacing.ts',
    find: 'Math.max(0, cap - admitted)',
    replace: 'Math.max(0, cap + 1 - admitted)',
  },
]

const maxSeeds = 2000
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
    const args = ['dist/rollcall.mjs', 'swarm', '--seeds', String(maxSeeds), '--until-failure']
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
    console.log(`| ${bug.name}: ${bug.bug} | ${seed ?? `none up to ${maxSeeds}`} | \`${(said ?? '').slice(0, shownCharacters)}\` |`)
  }
}
