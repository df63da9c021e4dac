import { describe, expect, it } from 'vitest'
import { pods } from '../../../kinds.ts'
import { defaulted, type Loose } from '../../../testing/prepared-objects.ts'

const pod = (spec: Loose = {}, metadata: Loose = {}) => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }], ...spec },
})
const specOf = (spec: Loose = {}) => defaulted(pods, pod(spec)).spec
const container = (more: Loose) => specOf({ containers: [{ name: 'c', image: 'nginx:1', ...more }] }).containers[0]

describe('defaultPod()', () => {
  it('fills in a minimal pod', () => {
    expect(defaulted(pods, pod())).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'p' },
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
        enableServiceLinks: true,
      },
      status: {},
    })
  })

  it('bears a pod without containers', () => {
    expect(defaulted(pods, { metadata: { name: 'p' } }).spec.restartPolicy).toBe('Always')
  })

  it('leaves what is set', () => {
    const set = {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      dnsPolicy: 'None',
      schedulerName: 'mine',
      enableServiceLinks: false,
      securityContext: { runAsUser: 7 },
    }
    expect(specOf(set)).toMatchObject(set)
  })

  it.each([
    ['a negative grace period is one second', { terminationGracePeriodSeconds: -3 }, { terminationGracePeriodSeconds: 1 }],
    ['the old name of the service account follows the new', { serviceAccountName: 'a', serviceAccount: 'b' }, { serviceAccount: 'a' }],
    ['the new name of the service account comes from the old', { serviceAccount: 'b' }, { serviceAccountName: 'b', serviceAccount: 'b' }],
    ['overhead is rounded up', { overhead: { cpu: '1u' } }, { overhead: { cpu: '1m' } }],
    [
      'ports are open on the host with its network',
      { hostNetwork: true, containers: [{ name: 'c', ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 9 }] }] },
      {
        containers: [
          {
            ports: [
              { hostPort: 80, containerPort: 80, protocol: 'TCP' },
              { hostPort: 9, containerPort: 81, protocol: 'TCP' },
            ],
          },
        ],
      },
    ],
    [
      'ephemeral containers get what containers get',
      { ephemeralContainers: [{ name: 'e', image: 'busybox', targetContainerName: 'c' }] },
      { ephemeralContainers: [{ imagePullPolicy: 'Always', terminationMessagePolicy: 'File', resources: {} }] },
    ],
  ])('%s', (_, spec, expected) => {
    expect(specOf(spec)).toMatchObject(expected)
  })

  it.each([
    ['requests follow limits', { limits: { cpu: '1', memory: '1Gi' } }, { requests: { cpu: '1', memory: '1Gi' } }],
    [
      'a request stays and the missing one follows',
      { limits: { cpu: '1', memory: '1Gi' }, requests: { memory: '5' } },
      { requests: { cpu: '1', memory: '5' } },
    ],
    ['amounts are rounded up to thousandths', { requests: { cpu: '1500u' } }, { requests: { cpu: '2m' } }],
    ['requests alone bring no limits', { requests: { cpu: '1' } }, { requests: { cpu: '1' } }],
  ])('%s', (_, resources, expected) => {
    expect(container({ resources }).resources).toEqual({ ...(resources as Loose), ...expected })
  })

  it.each([
    ['an HTTP probe', { httpGet: { port: 80 } }, { httpGet: { path: '/', port: 80, scheme: 'HTTP' } }],
    ['a gRPC probe', { grpc: { port: 80 } }, { grpc: { port: 80, service: '' } }],
    ['a TCP probe', { tcpSocket: { port: 'web' } }, { tcpSocket: { port: 'web' } }],
  ])('fills in %s', (_, probe, expected) => {
    const full = { ...expected, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
    expect(container({ livenessProbe: probe, readinessProbe: probe, startupProbe: probe })).toMatchObject({
      livenessProbe: full,
      readinessProbe: full,
      startupProbe: full,
    })
  })

  it('fills in hooks, variables and ports', () => {
    expect(
      container({
        lifecycle: { postStart: { httpGet: { port: 1 } }, preStop: { httpGet: { port: 2, path: '/x' } } },
        env: [
          { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'B', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'k' } } },
        ],
        ports: [{ containerPort: 80 }],
      }),
    ).toMatchObject({
      lifecycle: { postStart: { httpGet: { path: '/', port: 1, scheme: 'HTTP' } }, preStop: { httpGet: { path: '/x', scheme: 'HTTP' } } },
      env: [
        { valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        { valueFrom: { fileKeyRef: { optional: false } } },
      ],
      ports: [{ containerPort: 80, protocol: 'TCP' }],
    })
  })

  it.each([
    ['no source', {}, { emptyDir: {} }],
    ['a host path', { hostPath: { path: '/x' } }, { hostPath: { path: '/x', type: '' } }],
    ['a secret', { secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
    ['a secret with a mode', { secret: { secretName: 's', defaultMode: 256 } }, { secret: { secretName: 's', defaultMode: 256 } }],
    ['a config map', { configMap: { name: 's' } }, { configMap: { name: 's', defaultMode: 420 } }],
    [
      'the downward API',
      { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { downwardAPI: { items: [{ path: 'x', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }], defaultMode: 420 } },
    ],
    [
      'projections',
      {
        projected: {
          sources: [{ serviceAccountToken: { path: 't' } }, { downwardAPI: { items: [{ path: 'x', fieldRef: { fieldPath: 'y' } }] } }],
        },
      },
      {
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3600, path: 't' } },
            { downwardAPI: { items: [{ path: 'x', fieldRef: { apiVersion: 'v1', fieldPath: 'y' } }] } },
          ],
          defaultMode: 420,
        },
      },
    ],
    [
      'iSCSI',
      { iscsi: { targetPortal: 'a', iqn: 'b', lun: 0 } },
      { iscsi: { targetPortal: 'a', iqn: 'b', lun: 0, iscsiInterface: 'default' } },
    ],
    ['an image', { image: { reference: 'x:1' } }, { image: { reference: 'x:1', pullPolicy: 'IfNotPresent' } }],
    [
      'a claim of its own',
      { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } } } },
      {
        ephemeral: {
          volumeClaimTemplate: {
            metadata: {},
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, volumeMode: 'Filesystem' },
          },
        },
      },
    ],
  ])('fills in a volume with %s', (_, source, expected) => {
    expect(specOf({ volumes: [{ name: 'v', ...source }] }).volumes).toEqual([{ name: 'v', ...expected }])
  })

  it.each([
    [
      'requests from the containers',
      { limits: { cpu: '4' } },
      [{ requests: { cpu: '1' } }, { requests: { cpu: '2' } }],
      { limits: { cpu: '4' }, requests: { cpu: '3' } },
    ],
    [
      'requests from the limits where containers have none',
      { limits: { memory: '1Gi' } },
      [{}],
      { limits: { memory: '1Gi' }, requests: { memory: '1Gi' } },
    ],
    ['nothing where the pod has no limits', { requests: { cpu: '1' } }, [{ requests: { cpu: '2' } }], { requests: { cpu: '1' } }],
    [
      'huge pages from the containers',
      { requests: { cpu: '1' } },
      [{ limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } }],
      { limits: { 'hugepages-2Mi': '4Mi' }, requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } },
    ],
  ])('gives the pod as a whole %s', (_, resources, each, expected) => {
    const containers = (each as Loose[]).map((own, i) => ({ name: `c${i}`, image: 'x:1', resources: own }))
    expect(specOf({ resources, containers }).resources).toEqual(expected)
  })

  it.each([
    ['podIPs from podIP', { podIP: '1.1.1.1' }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }] }],
    ['podIP from podIPs', { podIPs: [{ ip: '1.1.1.1' }, { ip: '::1' }] }, { podIP: '1.1.1.1', podIPs: [{ ip: '1.1.1.1' }, { ip: '::1' }] }],
    ['podIP over podIPs', { podIP: '2.2.2.2', podIPs: [{ ip: '1.1.1.1' }] }, { podIP: '2.2.2.2', podIPs: [{ ip: '2.2.2.2' }] }],
  ])('takes %s', (_, status, expected) => {
    expect(defaulted(pods, { ...pod(), status }).status).toEqual(expected)
  })

  it('drops the annotations that were init containers once', () => {
    const annotations = { 'pod.beta.kubernetes.io/init-containers': '[]', a: 'b' }
    expect(defaulted(pods, pod({}, { annotations })).metadata.annotations).toEqual({ a: 'b' })
  })
})
