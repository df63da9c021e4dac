import { describe, expect, it } from 'vitest'
import { cronJobs, daemonSets, deployments, jobs, podTemplates, replicaSets, replicationControllers, statefulSets } from '../kinds.ts'
import { contextWith, created, defaulted, type Loose } from '../testing/prepared-objects.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } }
const fullTemplate = {
  metadata: { labels: { app: 'x' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'nginx:1',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
}
const selector = { matchLabels: { app: 'x' } }
const workload = (spec: Loose = {}, metadata: Loose = {}) => ({
  metadata: { name: 'w', ...metadata },
  spec: { selector, template, ...spec },
})

describe('defaultDeployment()', () => {
  it('fills in a minimal Deployment, and its template less than a pod', () => {
    expect(created(deployments, workload())).toEqual({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'w', uid: 'uid-1' },
      spec: {
        replicas: 1,
        selector,
        template: fullTemplate,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
      status: {},
    })
  })

  it.each([
    ['Recreate has no parameters', { strategy: { type: 'Recreate' } }, { strategy: { type: 'Recreate' } }],
    [
      'one parameter brings the other',
      { strategy: { rollingUpdate: { maxSurge: 0 } } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 0 } } },
    ],
    ['zero replicas stay', { replicas: 0 }, { replicas: 0 }],
    ['limits of a template bring no requests', limited({ limits: { cpu: '1' } }), limited({ limits: { cpu: '1' } })],
    [
      'the fields of the proposals stay as they are',
      { podReplacementPolicy: 'TerminationComplete' },
      { podReplacementPolicy: 'TerminationComplete' },
    ],
  ])('%s', (_, spec, expected) => {
    expect(defaulted(deployments, workload(spec)).spec).toMatchObject(expected)
  })

  it('bears a Deployment without anything', () => {
    expect(defaulted(deployments, { metadata: { name: 'd' } }).spec.replicas).toBe(1)
  })
})

function limited(resources: Loose): Loose {
  return { template: { ...template, spec: { containers: [{ name: 'c', image: 'nginx:1', resources }] } } }
}

describe('defaultReplicaSet()', () => {
  it('fills in a minimal ReplicaSet', () => {
    const { spec, status } = created(replicaSets, workload())
    expect(spec).toEqual({ replicas: 1, selector, template: fullTemplate })
    expect(status).toEqual({ replicas: 0 })
  })

  it('takes no selector from the template', () => {
    expect(defaulted(replicaSets, workload({ selector: undefined })).spec.selector).toBeNull()
  })
})

describe('defaultReplicationController()', () => {
  it('takes selector and labels from the template', () => {
    const { metadata, spec, status } = created(replicationControllers, workload({ selector: undefined }))
    expect(metadata.labels).toEqual({ app: 'x' })
    expect(spec).toEqual({ replicas: 1, selector: { app: 'x' }, template: fullTemplate })
    expect(status).toEqual({ replicas: 0 })
  })

  it('leaves a selector and labels that are there', () => {
    const { metadata, spec } = defaulted(replicationControllers, workload({ selector: { a: 'b' } }, { labels: { c: 'd' } }))
    expect([metadata.labels, spec.selector]).toEqual([{ c: 'd' }, { a: 'b' }])
  })

  it('bears one without a template', () => {
    expect(defaulted(replicationControllers, { metadata: { name: 'r' } }).spec).toEqual({ replicas: 1 })
  })
})

describe('defaultStatefulSet()', () => {
  it('fills in a minimal StatefulSet', () => {
    const { spec, status } = created(statefulSets, workload({ serviceName: 's' }))
    expect(spec).toEqual({
      replicas: 1,
      selector,
      template: fullTemplate,
      serviceName: 's',
      podManagementPolicy: 'OrderedReady',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 1 } },
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    })
    expect(status).toEqual({ replicas: 0, availableReplicas: 0 })
  })

  it.each([
    ['a strategy with a type and no parameters gets none', { type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
    ['OnDelete has no parameters', { type: 'OnDelete' }, { type: 'OnDelete' }],
    [
      'a partition stays',
      { rollingUpdate: { partition: 2 } },
      { type: 'RollingUpdate', rollingUpdate: { partition: 2, maxUnavailable: 1 } },
    ],
  ])('%s', (_, updateStrategy, expected) => {
    expect(defaulted(statefulSets, workload({ updateStrategy })).spec.updateStrategy).toEqual(expected)
  })

  it('makes claims whole objects', () => {
    const claim = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
    expect(defaulted(statefulSets, workload({ volumeClaimTemplates: [claim] })).spec.volumeClaimTemplates).toEqual([
      {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: { name: 'data' },
        spec: { ...claim.spec, volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      },
    ])
  })

  it('sets no deadline, whatever the gate', () => {
    for (const ExtendedWorkloadConditions of [true, false])
      expect(defaulted(statefulSets, workload(), contextWith({ ExtendedWorkloadConditions })).spec).not.toHaveProperty(
        'progressDeadlineSeconds',
      )
  })
})

describe('defaultDaemonSet()', () => {
  it('fills in a minimal DaemonSet', () => {
    const { metadata, spec, status } = created(daemonSets, workload())
    expect(metadata.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
    expect(spec).toEqual({
      selector,
      template: fullTemplate,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      revisionHistoryLimit: 10,
    })
    expect(status).toEqual({ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 })
  })

  it.each<[string, Loose, Loose]>([
    ['without parameters', {}, {}],
    ['with empty parameters: they become 0', { rollingUpdate: {} }, { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } }],
    ['with one parameter: the other becomes 0', { rollingUpdate: { maxSurge: 2 } }, { rollingUpdate: { maxUnavailable: 0, maxSurge: 2 } }],
  ])('keeps OnDelete %s', (_, given, expected) => {
    const { spec } = defaulted(daemonSets, workload({ updateStrategy: { type: 'OnDelete', ...given } }))
    expect(spec.updateStrategy).toEqual({ type: 'OnDelete', ...expected })
  })
})

describe('defaultJob()', () => {
  const job = (spec: Loose = {}, metadata: Loose = {}) => ({
    metadata: { name: 'j', ...metadata },
    spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx:1' }], restartPolicy: 'Never' } }, ...spec },
  })
  const specOf = (spec: Loose = {}, context = contextWith()) => defaulted(jobs, job(spec), context).spec

  it('fills in a minimal Job', () => {
    const labels = {
      'batch.kubernetes.io/controller-uid': 'uid-1',
      'batch.kubernetes.io/job-name': 'j',
      'controller-uid': 'uid-1',
      'job-name': 'j',
    }
    expect(created(jobs, job())).toEqual({
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'j', uid: 'uid-1', labels },
      spec: {
        parallelism: 1,
        completions: 1,
        backoffLimit: 6,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'uid-1' } },
        manualSelector: false,
        template: { metadata: { labels }, spec: { ...fullTemplate.spec, restartPolicy: 'Never' } },
        completionMode: 'NonIndexed',
        suspend: false,
        podReplacementPolicy: 'TerminatingOrFailed',
      },
      status: {},
    })
  })

  it.each([
    ['parallelism alone leaves completions open', { parallelism: 2 }, { parallelism: 2 }, ['completions']],
    ['completions alone run one at a time', { completions: 3 }, { parallelism: 1, completions: 3 }, []],
    ['a limit for each index lifts the other', { backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }, []],
    [
      'a pod failure policy needs Failed',
      { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'X' }, { type: 'Y', status: 'False' }] }] } },
      {
        podReplacementPolicy: 'Failed',
        podFailurePolicy: {
          rules: [
            {
              action: 'Ignore',
              onPodConditions: [
                { type: 'X', status: 'True' },
                { type: 'Y', status: 'False' },
              ],
            },
          ],
        },
      },
      [],
    ],
    [
      'terminatingAsActive stands alone: nothing is written into the field of another gate',
      { terminatingAsActive: true },
      {},
      ['podReplacementPolicy'],
    ],
    [
      'a pod failure policy beside terminatingAsActive',
      { terminatingAsActive: true, podFailurePolicy: { rules: [] } },
      { podReplacementPolicy: 'Failed' },
      [],
    ],
    ['terminatingAsActive false is the default', { terminatingAsActive: false }, { podReplacementPolicy: 'TerminatingOrFailed' }, []],
  ])('%s', (_, spec, expected, absent) => {
    const result = specOf(spec)
    expect(result).toMatchObject(expected)
    for (const name of absent) expect(result).not.toHaveProperty(name)
  })

  it.each([['no policy with JobPodReplacementPolicy off', { JobPodReplacementPolicy: false }, {}, undefined]])(
    '%s',
    (_, gates, spec, expected) => {
      expect(specOf(spec, contextWith(gates)).podReplacementPolicy).toBe(expected)
    },
  )

  it('gives a Job without labels all labels of its pods, also those that the server adds', () => {
    const { metadata, ...unlabelled } = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } }
    const labelled = { template: { metadata, ...unlabelled } }
    const added = ['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name']
    expect(Object.keys(created(jobs, job(labelled)).metadata.labels).sort()).toEqual(['app', ...added])
    expect(Object.keys(created(jobs, job({ template: unlabelled })).metadata.labels).sort()).toEqual(added)
    expect(created(jobs, job(labelled, { labels: { own: 'x' } })).metadata.labels).toEqual({ own: 'x' })
  })

  it('makes no selector where the user does', () => {
    const { spec, metadata } = created(jobs, job({ manualSelector: true, selector, template: { ...template } }))
    expect(spec.selector).toEqual(selector)
    expect(metadata.labels).toEqual({ app: 'x' })
  })
})

describe('defaultCronJob()', () => {
  it('fills in the schedule, and of the Job only its pods', () => {
    const spec = { schedule: '* * * * *', jobTemplate: { spec: { template } } }
    expect(created(cronJobs, { metadata: { name: 'c' }, spec })).toMatchObject({
      spec: {
        schedule: '* * * * *',
        concurrencyPolicy: 'Allow',
        suspend: false,
        jobTemplate: { metadata: {}, spec: { template: fullTemplate } },
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
      status: {},
    })
    expect(Object.keys(defaulted(cronJobs, { metadata: { name: 'c' }, spec }).spec.jobTemplate.spec)).toEqual(['template'])
  })
})

describe('defaultPodTemplateObject()', () => {
  it('fills in the template', () => {
    expect(created(podTemplates, { metadata: { name: 't' }, template }).template).toEqual(fullTemplate)
  })
})
