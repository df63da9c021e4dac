import { describe, expect, it } from 'vitest'
import { cronJobs, deployments, endpointSlices, jobs, persistentVolumes, pods, resourceQuotas, services, statefulSets } from '../kinds.ts'
import { contextWith, created, type Loose } from '../testing/prepared-objects.ts'

const warn = (kind: Loose, object: Loose, current?: Loose): string[] =>
  kind.strategy.warnings(created(kind, object), current, contextWith())
const podWith = (spec: Loose, metadata: Loose = {}) =>
  warn(pods, { metadata: { name: 'p', ...metadata }, spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec } })
const container = (more: Loose) => podWith({ containers: [{ name: 'c', image: 'nginx:1', ...more }] })

describe('warnings() of a pod', () => {
  it('has nothing to say of a good one', () => {
    expect(podWith({})).toEqual([])
  })

  it.each<[string, Loose, string[]]>([
    [
      'an old node label',
      { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'an old topology key, and no selector',
      {
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
      [
        'spec.topologySpreadConstraints[0].topologyKey: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
        'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
    [
      'a preference that no label can fulfil',
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b c'] }] } },
            ],
          },
        },
      },
      [
        "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].values[0]: b c is invalid, a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [
      'an affinity that matches nothing',
      { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k' }] } } },
      [
        'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    ],
    [
      'a volume plugin of old',
      { volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] },
      ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
    ],
    [
      "files in each other's way",
      {
        volumes: [
          {
            name: 'v',
            configMap: {
              name: 'm',
              items: [
                { key: 'a', path: 'x' },
                { key: 'b', path: 'x/y' },
              ],
            },
          },
        ],
      },
      ['volume "v" (ConfigMap "m"): overlapping paths: "x/y" with "x"'],
    ],
    [
      "files of two projections in each other's way",
      {
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [{ secret: { name: 's', items: [{ key: 'a', path: 'x' }] } }, { serviceAccountToken: { path: 'x' } }, {}],
            },
          },
        ],
      },
      [
        'volume "v" (Projected) has no sources provided',
        'volume "v" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x" (Secret "s")',
      ],
    ],
    [
      'the same alias twice',
      {
        hostAliases: [
          { ip: '1.1.1.1', hostnames: ['a'] },
          { ip: '1.1.1.1', hostnames: ['b'] },
        ],
      },
      ['spec.hostAliases[1].ip: duplicate ip "1.1.1.1"'],
    ],
    [
      'pull secrets twice and without a name',
      { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] },
      ['spec.imagePullSecrets[1].name: duplicate name "a"', 'spec.imagePullSecrets[2].name: invalid empty name ""'],
    ],
    [
      'an address in another spelling',
      { dnsConfig: { nameservers: ['FE80::1'] } },
      ['spec.dnsConfig.nameservers[0]: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(podWith(spec)).toEqual(expected)
  })

  it.each<[string, Loose, string[]]>([
    [
      'half a byte',
      { resources: { requests: { memory: '1500m' } } },
      ['spec.containers[0].resources.requests[memory]: fractional byte value "1500m" is invalid, must be an integer'],
    ],
    [
      'more bytes than can be counted in thousandths',
      { resources: { requests: { memory: '10Pi' } } },
      ['spec.containers[0].resources.requests[memory]: fractional byte value "10Pi" is invalid, must be an integer'],
    ],
    [
      'a variable that hides another',
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'a variable that builds on the other',
      {
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '$(A)2' },
        ],
      },
      [],
    ],
    [
      'the same port twice',
      { ports: [{ containerPort: 80 }, { containerPort: 80 }] },
      ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'a port with and without the host',
      { ports: [{ containerPort: 80, hostPort: 8080 }, { containerPort: 80 }] },
      ['spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]'],
    ],
    [
      'an address without a port of the host',
      { ports: [{ containerPort: 80, hostIP: '1.1.1.1' }] },
      ['spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.1.1.1}'],
    ],
    [
      'the same port name twice',
      {
        ports: [
          { name: 'a', containerPort: 80 },
          { name: 'a', containerPort: 81 },
        ],
      },
      [
        'spec.containers[0].ports[1]: duplicate port name "a" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
  ])('%s', (_, more, expected) => {
    expect(container(more)).toEqual(expected)
  })

  it('warns about names with dots', () => {
    expect(podWith({}, { name: 'a.b' })).toEqual([
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ])
  })

  it.each([
    ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
    ['seccomp.security.alpha.kubernetes.io/pod', 'non-functional in v1.27+; use the "seccompProfile" field instead'],
    ['container.apparmor.security.beta.kubernetes.io/c', 'deprecated since v1.30; use the "appArmorProfile" field instead'],
    ['container.seccomp.security.alpha.kubernetes.io/c', 'non-functional in v1.27+; use the "seccompProfile" field instead'],
  ])('minds the annotation %s', (key, message) => {
    expect(podWith({}, { annotations: { [key]: '' } })).toEqual([`metadata.annotations[${key}]: ${message}`])
  })

  it('does not mind a profile of AppArmor under Windows', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' }
    expect(podWith({ os: { name: 'windows' } }, { annotations })).toEqual([])
    expect(podWith({}, { annotations })).toHaveLength(1)
  })

  it('says nothing on updates', () => {
    const pod = { metadata: { name: 'a.b' }, spec: { containers: [{ name: 'c', image: 'x:1' }] } }
    expect(warn(pods, pod, created(pods, pod))).toEqual([])
  })

  it('bounds what the same port many times over costs', () => {
    const ports = Array.from({ length: 2000 }, () => ({ containerPort: 80 }))
    expect(container({ ports }).length).toBeLessThan(50_000)
  })
})

describe('warnings() of other kinds', () => {
  const bad = { spec: { containers: [{ name: 'c', image: 'x:1' }], terminationGracePeriodSeconds: -1 } }
  const message = 'must be >= 0; negative values are invalid and will be treated as 1'

  it.each<[string, Loose, Loose, string[]]>([
    ['a Deployment', deployments, { spec: { template: bad } }, [`spec.template.spec.terminationGracePeriodSeconds: ${message}`]],
    [
      'a CronJob',
      cronJobs,
      { spec: { schedule: 'x', jobTemplate: { spec: { template: bad } } } },
      [`spec.jobTemplate.spec.template.spec.terminationGracePeriodSeconds: ${message}`],
    ],
    [
      'a StatefulSet',
      statefulSets,
      {
        spec: { template: {}, revisionHistoryLimit: -1, volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1m' } } } }] },
      },
      [
        'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1m" is invalid, must be an integer',
        'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
      ],
    ],
    [
      'a huge Job',
      jobs,
      { spec: { template: {}, completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 } },
      [
        'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
      ],
    ],
    [
      'a headless Service',
      services,
      { spec: { clusterIP: 'None', externalIPs: ['1.1.1.1'], externalName: 'x' } },
      ['spec.externalIPs is ignored for headless services', 'spec.externalName is ignored when spec.type is not "ExternalName"'],
    ],
    [
      'a ResourceQuota that requests more than it limits',
      resourceQuotas,
      { spec: { hard: { cpu: '2', 'limits.cpu': '1' } } },
      ['ResourceQuota cpu (2) should be less than limits.cpu (1)'],
    ],
    ['an EndpointSlice of names', endpointSlices, { addressType: 'FQDN' }, ['spec.addressType: FQDN endpoints are deprecated']],
    [
      'a volume that is recycled',
      persistentVolumes,
      { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
      [
        'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      ],
    ],
  ])('%s', (_, kind, object, expected) => {
    expect(warn(kind, { metadata: { name: 'x' }, ...object })).toEqual(expected)
  })

  it('says it again only when the object changes', () => {
    const deployment = (replicas: number) => ({ metadata: { name: 'x' }, spec: { replicas, template: bad } })
    const current = created(deployments, deployment(1))
    expect(warn(deployments, deployment(1), current)).toEqual([])
    expect(warn(deployments, deployment(2), current)).toHaveLength(1)
  })

  it('warns about the zone in a schedule on updates', () => {
    const cronJob = { metadata: { name: 'x' }, spec: { schedule: 'TZ=UTC * * * * *', jobTemplate: {} } }
    expect(warn(cronJobs, cronJob, created(cronJobs, cronJob))).toEqual([
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ])
  })
})
