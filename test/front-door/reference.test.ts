// The generated pages of the documentation match the current program.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { referencePages } from '../../scripts/reference-pages.mjs'
import { root } from './running-cluster.ts'

const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

describe('docs/reference', () => {
  it.each(Object.entries(referencePages as Record<string, () => string | Promise<string>>))(
    '%s is current: npm run docs writes it',
    async (name, render) => {
      expect((await render()) === page(name), `docs/${name} is out of date. Run npm run docs`).toBe(true)
    },
    60_000,
  )

  it('has every annotation, label, gate and metric of Rollcall', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'),
    )
    const names = new Set<string>()
    for (const name of sources)
      for (const [, found = ''] of readFileSync(join(root, 'src', name), 'utf8').matchAll(
        /'(?:# HELP )?(rollcall\.dev\/[a-z-]+[a-z]|rollcall_[a-z_]+_[a-z]+)/g,
      ))
        names.add(found)
    expect(names.size).toBeGreaterThan(10)
    const text = `${page('reference/names.md')}${page('reference/metrics.md')}`
    expect([...names].filter((name) => !text.includes(name))).toEqual([])
  })

  it('has every metric of rollcall controllers and rollcall pacer', () => {
    const source = readFileSync(join(root, 'src/cluster/remote/elected-process.ts'), 'utf8')
    const metrics = [...source.matchAll(/(?:# HELP |^ +)([a-z]+_[a-z_]+)(?=: \{| )/gm)].map(([, name = '']) => name)
    expect(metrics.length).toBeGreaterThan(3)
    expect(metrics.filter((name) => !page('reference/metrics.md').includes(`\`${name}\``))).toEqual([])
  })

  it('has the Events that Rollcall adds, and no others', () => {
    const [, table = ''] = page('reference/names.md').split('## Events')
    const listed = [...table.split('## ')[0]!.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason = '']) => reason)
    const recorded = new Set(['controllers', 'nodes', 'runtime', 'cluster'].flatMap(reasonsIn))
    expect(recorded.size).toBeGreaterThan(60)
    expect([...recorded].filter((reason) => !kubernetesReasons.has(reason)).sort()).toEqual(listed.sort())
  })
})

/** The reasons of the Events that the sources in this folder record. */
const reasonsIn = (folder: string) =>
  readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'))
    .map((name) => readFileSync(join(root, 'src', folder, name), 'utf8'))
    .flatMap((source) => reasonPatterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, reason = '']) => reason)))

const reasonPatterns = [
  /'(?:Normal|Warning)',\s*'([A-Z]\w+)'/g,
  /type: '(?:Normal|Warning)',\s*reason: '([A-Z]\w+)'/g,
  /\bconst \w*[rR]eason = '([A-Z]\w+)'/g,
  /\b(?:normal|warning)\('([A-Z]\w+)'/g,
  /\b(?:warn|report)\((?:\w+,\s*)?'([A-Z]\w+)'/g,
]

/** Reasons of kube-controller-manager, kube-scheduler, the kubelet and the cluster autoscaler, as far as Rollcall records them. */
const kubernetesReasons = new Set(
  `AmbiguousSelector BackOff CalculateExpectedPodCountFailed ClaimLost Completed ConflictingController Created DeadlineExceeded DeploymentRollback
  ErrImageNeverPull Failed FailedComputeMetricsReplicas FailedCreate FailedDaemonPod FailedDelete FailedGet FailedGetScale
  FailedMount FailedPostStartHook FailedPreStopHook FailedRescale FailedScheduling FailedSync InspectFailed InvalidSchedule
  InvalidSelector JobAlreadyActive
  Killing MissSchedule MissingJob MultiplePodDisruptionBudgets NoPods NodeNotReady NotDeleted NotTriggerScaleUp OwnerRefInvalidNamespace Preempted
  ProvisioningSucceeded Pulled Pulling RegisteredNode RemovingNode Resumed SawCompletedJob ScaleDown ScaleDownFailed
  ScalingReplicaSet Scheduled SelectingAll SelectorRequired Started SucceededDaemonPod SuccessfulCreate SuccessfulDelete SuccessfulRescale Suspended
  TaintManagerEviction TooManyAddressesToMirror TooManyMissedTimes TooManySucceededPods TriggeredScaleUp UnParseableCronJobSchedule UnexpectedJob Unhealthy
  UnknownCompletionMode UnknownStrategy UnknownTimeZone UnmanagedPods UnparseableSchedule`.split(/\s+/),
)
