// Does the explorer find bugs? Each one is planted into the planners or the world, in a bundle of its own, and a small world is explored.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeploymentScope } from './deployment/scope.ts'
import type { JobScope } from './job/world.ts'
import type * as Explorer from './testing/planted-explorer.ts'

const root = join(import.meta.dirname, '../..')
const plan = 'src/controllers/deployment/plan/'
const job = 'src/controllers/job/plan/'
const [complete, asActive] = [2, 3]

interface PlantedBug {
  readonly file: string
  /** Stands once in the file. */
  readonly find: string
  readonly replace: string
  readonly scope?: Partial<DeploymentScope>
  readonly isOfPacer?: true
  /** The world of the Job, if it is one of the Job planner. */
  readonly job?: Partial<JobScope>
}

/** What the world is like if a bug does not say otherwise. */
const usual: Partial<DeploymentScope> = { starts: [{ replicas: 2, policy: complete }], replicas: [1, 2] }
const counting = { starts: [{ replicas: 1, policy: asActive }] }
/** Rounding makes a difference from five replicas on. */
const switchedOff: Partial<DeploymentScope> = {
  starts: [{ replicas: 2, policy: complete }],
  replicas: [5],
  policies: [0],
  users: 3,
  disruptions: 2,
  lag: { deployments: 0, sets: 0, pods: 0 },
}
const one = { starts: [{ replicas: 1, policy: complete }] }

const bugs: readonly (readonly [string, PlantedBug])[] = [
  // What the only other implementation of KEP-5882 does.
  [
    'a ReplicaSet that is resized twice before its status exceeds the cap',
    {
      file: `${plan}resized.ts`,
      find: 'isHidden ? String(mayHave) : undefined',
      replace: 'isHidden && false ? String(mayHave) : undefined',
      scope: { ...one, users: 2, hasStops: true },
    },
  ],
  [
    'a pending scale locks a rollout',
    {
      file: `${plan}deployment.ts`,
      find: "  if (scale === 'pending')\n",
      replace: "  if (scale === 'superseded') return planOutcome(step, { isRollout: true })\n  if (scale === 'pending')\n",
      scope: { ...one, users: 2, disruptions: 1, maxSurge: 0, maxUnavailable: 1 },
    },
  ],
  [
    'a paused Deployment without ReplicaSets fails',
    {
      file: `${plan}scale.ts`,
      find: 'if (only === undefined) return []',
      replace: "if (only === undefined) throw new Error('nil')",
      scope: { hasPauses: true, starts: [{ replicas: 1, policy: complete, isNew: true }] },
    },
  ],
  [
    'a rollout is complete while old pods terminate',
    {
      file: `${plan}progress.ts`,
      find: "(policy !== 'TerminationComplete' || account.pods === replicas)",
      replace: '(policy !== undefined || account !== undefined)',
    },
  ],
  [
    'a Recreate rollout is complete while old pods terminate',
    {
      file: `${plan}progress.ts`,
      find: "(policy !== 'TerminationComplete' || account.pods === replicas)",
      replace: '(policy !== undefined || account !== undefined)',
      scope: { ...one, replicas: [0, 1], isRecreate: true, maxSurge: 0, users: 2 },
    },
  ],
  [
    'a scale that waits for ever never times out',
    {
      file: `${plan}deployment.ts`,
      find: "isRollout: settings.policy === 'TerminationComplete', changed: planScale",
      replace: 'isRollout: false, changed: planScale',
      scope: { ...one, disruptions: 1, maxSurge: 0, maxUnavailable: 1 },
    },
  ],
  [
    'a pending scale whose policy is switched off forgets the sizes before it',
    {
      file: `${plan}scale-state.ts`,
      find: "base: progress === 'pending' ?",
      replace: "base: progress === 'pending' && deployment.spec?.podReplacementPolicy !== undefined ?",
      scope: switchedOff,
    },
  ],
  // Bugs of the past: the reverse of their mends.
  [
    'a rollout is called complete although the cache may lack pods of a deleted ReplicaSet',
    { file: `${plan}outcome.ts`, find: ' || isCompletion(deployment, status)', replace: '', scope: { ...one, users: 2, deletions: 1 } },
  ],
  [
    'a rollout stays complete from an earlier one while the pods of a deleted ReplicaSet exist',
    { file: `${plan}progress.ts`, find: ' && account.strays === 0)', replace: ')', scope: { ...one, users: 2, deletions: 1 } },
  ],
  [
    'a paused Deployment does not fill up when its pods have terminated',
    {
      file: `${plan}deployment.ts`,
      find: 'isDue ? planScale(step, sorted) : planFilling(step, sorted)',
      replace: 'isDue ? planScale(step, sorted) : []',
      scope: { ...one, hasPauses: true, users: 3, maxSurge: 0, maxUnavailable: 1 },
    },
  ],
  [
    'a stale annotation of a scale is never removed',
    {
      file: `${plan}deployment.ts`,
      find: 'withoutBase(withCurrentMax(set, step))',
      replace: 'withCurrentMax(set, step)',
      scope: { ...one, users: 2, disruptions: 1, maxSurge: 0, maxUnavailable: 1 },
    },
  ],
  [
    'a plan that lets pods grow is applied although the cache lacks pods of a deleted ReplicaSet',
    {
      file: 'src/explore/deployment/world.ts',
      find: 'if (!step.needsAllPods || state.isUnchecked === 0)',
      replace: 'if (state !== undefined)',
      scope: { ...one, deletions: 1 },
    },
  ],
  // Mutations: a term dropped, a maximum for a sum, off by one.
  ['terminating pods do not count', { file: `${plan}capacity.ts`, find: ': replicas + holding - held', replace: ': replicas + 0 * held' }],
  [
    'the larger of two counts, instead of their sum',
    {
      file: `${plan}capacity.ts`,
      find: ': replicas + holding - held',
      replace: ': Math.max(replicas, holding) - held',
    },
  ],
  [
    'the sum of two counts, instead of the larger one',
    { file: `${plan}capacity.ts`, find: 'Math.max(size + replaced, active + orphansToAdopt)', replace: 'size + active + orphansToAdopt' },
  ],
  [
    'the size counts, not the pods',
    { file: `${plan}capacity.ts`, find: 'Math.max(size + replaced, active + orphansToAdopt)', replace: 'size + 0 * active' },
  ],
  [
    'the pods count, not the size',
    {
      file: `${plan}capacity.ts`,
      find: 'Math.max(size + replaced, active + orphansToAdopt)',
      replace: 'active + orphansToAdopt + 0 * size',
    },
  ],
  [
    'one pod too many has room',
    { file: `${plan}capacity.ts`, find: 'Math.max(0, account.cap - pods) }', replace: 'Math.max(0, account.cap + 1 - pods) }' },
  ],
  [
    'one pod too few has room',
    { file: `${plan}capacity.ts`, find: 'Math.max(0, account.cap - pods) }', replace: 'Math.max(0, account.cap - 1 - pods) }' },
  ],
  [
    'one available pod too many is removed',
    {
      file: `${plan}rolling.ts`,
      find: 'const minAvailable = replicasOf(deployment) - maxUnavailable(deployment)',
      replace: 'const minAvailable = replicasOf(deployment) - maxUnavailable(deployment) - 1',
    },
  ],
  [
    'a new ReplicaSet shrinks when there is no room',
    { file: `${plan}rolling.ts`, find: 'Math.max(0, Math.min(room, replicas - size))', replace: 'Math.min(room - 1, replicas - size)' },
  ],
  [
    'a message does not say what a rollout waits for',
    { file: `${plan}termination-wait.ts`, find: 'growth >= account.room', replace: 'growth > account.room + 99' },
  ],
  [
    'the pods of a deleted ReplicaSet do not count',
    {
      file: `${plan}capacity.ts`,
      find: 'strays: isStuck === undefined ? strays.length :',
      replace: 'strays: isStuck === undefined ? 0 :',
      scope: { deletions: 1, users: 0 },
    },
  ],
  [
    'a ReplicaSet does not report terminating pods',
    {
      file: 'src/controllers/replica-set/plan/status.ts',
      find: 'const terminatingReplicas = countsTerminating ? terminating : undefined',
      replace: 'const terminatingReplicas = countsTerminating ? 0 * terminating : undefined',
    },
  ],
  [
    'a ReplicaSet replaces a pod that terminates and counts as active',
    {
      file: 'src/controllers/replica-set/plan/replicas.ts',
      find: 'const missing = -surplus - (terminatingAsActive ? terminating : 0)',
      replace: 'const missing = -surplus - (terminatingAsActive ? 0 * terminating : 0)',
      scope: { ...counting, users: 0, disruptions: 2, maxSurge: 0, maxUnavailable: 1 },
    },
  ],
  [
    'a ReplicaSet deletes one pod too many',
    {
      file: 'src/controllers/replica-set/plan/replicas.ts',
      find: 'surplusOf(active, Math.min(surplus, maxPodsPerSync), input)',
      replace: 'surplusOf(active, Math.min(surplus + 1, maxPodsPerSync), input)',
    },
  ],
  [
    'the pacer admits one pod too many',
    {
      file: 'src/controllers/pacer/plan/pacing.ts',
      find: 'Math.max(0, cap - admitted)',
      replace: 'Math.max(0, cap + 1 - admitted)',
      isOfPacer: true,
    },
  ],
  [
    'the pacer does not count terminating pods',
    {
      file: 'src/controllers/pacer/plan/pacing.ts',
      find: 'const admitted = running + holding.length\n',
      replace: 'const admitted = running\n',
      isOfPacer: true,
    },
  ],
  [
    'the pacer leaves a pod waiting though there is room',
    {
      file: 'src/controllers/pacer/plan/pacing.ts',
      find: 'Math.max(0, cap - admitted)',
      replace: 'Math.max(0, cap - 1 - admitted)',
      isOfPacer: true,
    },
  ],
  [
    'a Job replaces a pod that terminates, although it has to wait',
    {
      file: `${job}plan.ts`,
      find: 'const held = replacesOnlyFailed ? terminating.length : 0',
      replace: 'const held = replacesOnlyFailed ? 0 * terminating.length : 0',
      job: { replacesOnlyFailed: true },
    },
  ],
  [
    'an Indexed Job starts a second pod for an index whose pod terminates',
    {
      file: `${job}plan.ts`,
      find: 'const held = replacesOnlyFailed ? [...active, ...terminating] : active',
      replace: 'const held = replacesOnlyFailed ? [...active, ...terminating].filter((pod) => active.includes(pod)) : active',
      job: { replacesOnlyFailed: true, isIndexed: true, completions: 3 },
    },
  ],
  [
    'a Job replaces a deleted pod before its failure is stored, and both may succeed',
    {
      file: `${job}plan.ts`,
      find: 'if (facts.isFailureOpen && !isIndexed) return',
      replace: 'if (facts.isFailureOpen && isIndexed) return',
      job: {},
    },
  ],
  [
    'a pod that a Job has counted as failed is counted again when it succeeds',
    {
      file: `${job}facts.ts`,
      find: 'hasValidIndex(pod) && !isListed(pod))',
      replace: 'hasValidIndex(pod) && (!isListed(pod) || true))',
      job: {},
    },
  ],
  [
    'a Job counts a success while it is in the list, and again when it leaves it',
    {
      file: `${job}status.ts`,
      find: 'listedSucceeded.length - uncountedSucceeded.length',
      replace: 'listedSucceeded.length',
      job: {},
    },
  ],
  [
    'a Job removes a finalizer without listing the pod',
    {
      file: `${job}status.ts`,
      find: 'if (!knownSucceeded.has(uid)) uncountedSucceeded.push(uid)',
      replace: 'knownSucceeded.has(uid)',
      job: {},
    },
  ],
  ['a Job is complete while a pod terminates', { file: `${job}status.ts`, find: 'terminating === 0 && count', replace: 'count', job: {} }],
  [
    'a Job is complete while pods are uncounted',
    { file: `${job}status.ts`, find: 'terminating === 0 && count.release.length === 0', replace: 'terminating === 0', job: {} },
  ],
  [
    'a Job has one pod too many',
    {
      file: `${job}plan.ts`,
      find: 'Math.min(completions - succeeded, parallelism))',
      replace: 'Math.min(completions + 1 - succeeded, parallelism))',
      job: {},
    },
  ],
]

let folder: string
beforeAll(() => {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  folder = mkdtempSync(join(root, 'node_modules/.cache/planted-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let bundles = 0
async function load(bug?: PlantedBug): Promise<typeof Explorer> {
  const outfile = join(folder, `${bundles++}.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: ['src/explore/testing/planted-explorer.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    external: ['re2js', 'yaml'],
    plugins: [
      {
        name: 'plant',
        setup({ onLoad }) {
          if (bug === undefined) return
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            if (path !== join(root, bug.file)) return undefined
            const parts = readFileSync(path, 'utf8').split(bug.find)
            if (parts.length !== 2) throw new Error(`"${bug.find}" stands ${parts.length - 1} times in ${bug.file}: choose another text`)
            return { contents: parts.join(bug.replace), loader: 'ts' }
          })
        },
      },
    ],
  })
  return (await import(pathToFileURL(outfile).href)) as typeof Explorer
}

describe('the explorer', () => {
  it.each(bugs)('finds that %s', async (_name, bug) => {
    const explorer = await load(bug)
    const problem = bug.isOfPacer
      ? explorer.findPacerProblem()
      : bug.job
        ? explorer.findJobProblem(bug.job)
        : explorer.findProblem({ ...usual, ...bug.scope })
    if (process.env['ROLLCALL_SHOW_PROBLEMS']) console.log(`${_name}: ${problem}`)
    expect(problem).toBeDefined()
  })
})
