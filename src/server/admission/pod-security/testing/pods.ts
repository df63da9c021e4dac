// Pods that violate one check each, none, or many at once, for the comparison with a real kube-apiserver.
import { seededRandom } from '../../../../base/random.ts'

type Fields = Readonly<Record<string, unknown>>

interface PodCase {
  readonly name: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec: Fields
}

const image = 'shop/web:1'
const harmless = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}

const spec = (pod: Fields, context: Fields = {}, container: Fields = {}): Fields => ({
  containers: [{ name: 'main', image, securityContext: { ...harmless, ...context }, ...container }],
  ...pod,
})
const inPod = (securityContext: Fields) => spec({ securityContext })
const inContainer = (context: Fields) => spec({}, context)
/** Two init containers, two containers: the second of each has the context. */
const inSome = (context: Fields) => {
  const two = (name: string) => [
    { name: `${name}-1`, image, securityContext: harmless },
    { name: `${name}-2`, image, securityContext: { ...harmless, ...context } },
  ]
  return { initContainers: two('init'), containers: two('main') }
}
const probe = { httpGet: { port: 80, host: '10.0.0.1' } }
const tcp = { tcpSocket: { port: 80, host: 'a.example.org' } }
const port = (hostPort: number, containerPort = hostPort) => ({ hostPort, containerPort })
const volume = (source: Fields) => ({ name: `v-${Object.keys(source)[0]!.toLowerCase()}`, ...source })

const volumes: readonly Fields[] = [
  { hostPath: { path: '/a' } },
  { gcePersistentDisk: { pdName: 'a' } },
  { awsElasticBlockStore: { volumeID: 'a' } },
  { nfs: { server: 'a', path: '/a' } },
  { iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 } },
  { glusterfs: { endpoints: 'a', path: 'b' } },
  { rbd: { monitors: ['a'], image: 'b' } },
  { flexVolume: { driver: 'a/b' } },
  { cinder: { volumeID: 'a' } },
  { cephfs: { monitors: ['a'] } },
  { flocker: { datasetName: 'a' } },
  { fc: { targetWWNs: ['a'], lun: 0 } },
  { azureFile: { secretName: 'a', shareName: 'b' } },
  { vsphereVolume: { volumePath: 'a' } },
  { quobyte: { registry: 'a:1', volume: 'b' } },
  { azureDisk: { diskName: 'a', diskURI: '/subscriptions/a' } },
  { photonPersistentDisk: { pdID: 'a' } },
  { portworxVolume: { volumeID: 'a' } },
  { scaleIO: { gateway: 'a', system: 'b', secretRef: { name: 'c' }, volumeName: 'd' } },
  { storageos: { volumeName: 'a' } },
  { gitRepo: { repository: 'a' } },
  { configMap: { name: 'a' } },
  { csi: { driver: 'a' } },
  { downwardAPI: {} },
  { emptyDir: {} },
  { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } },
  { image: { reference: 'a' } },
  { persistentVolumeClaim: { claimName: 'a' } },
  { projected: { sources: [] } },
  { secret: { secretName: 'a' } },
]

const sysctl = (...names: readonly string[]) => inPod({ sysctls: names.map((name) => ({ name, value: '1' })) })

const single: readonly PodCase[] = [
  { name: 'harmless', spec: spec({}) },
  { name: 'plain', spec: { containers: [{ name: 'main', image }] } },
  { name: 'two plain containers', spec: { containers: ['a', 'b'].map((name) => ({ name, image })) } },
  { name: 'plain init container', spec: spec({ initContainers: [{ name: 'init', image }] }) },
  { name: 'settings of the pod', spec: { ...inPod({ runAsNonRoot: true, seccompProfile: { type: 'Localhost', localhostProfile: 'a' } }) } },
  ...['hostNetwork', 'hostPID', 'hostIPC'].map((field) => ({ name: field, spec: spec({ [field]: true }) })),
  { name: 'all namespaces of the host', spec: spec({ hostNetwork: true, hostPID: true, hostIPC: true }) },
  { name: 'privileged', spec: inContainer({ privileged: true, allowPrivilegeEscalation: true }) },
  { name: 'privileged false', spec: inContainer({ privileged: false }) },
  { name: 'some privileged', spec: inSome({ privileged: true, allowPrivilegeEscalation: true }) },
  { name: 'escalation', spec: inContainer({ allowPrivilegeEscalation: true }) },
  { name: 'escalation not said', spec: inSome({ allowPrivilegeEscalation: undefined }) },
  ...[['NET_BIND_SERVICE'], ['CHOWN'], ['NET_RAW'], ['SYS_ADMIN', 'NET_ADMIN', 'CHOWN'], ['CAP_KILL']].flatMap((add) => [
    { name: `adds ${add}`, spec: inContainer({ capabilities: { add, drop: ['ALL'] } }) },
    { name: `adds ${add} in some, drops nothing`, spec: inSome({ capabilities: { add } }) },
  ]),
  { name: 'drops some', spec: inContainer({ capabilities: { drop: ['NET_RAW'] } }) },
  { name: 'drops all in lower case', spec: inContainer({ capabilities: { drop: ['all'] } }) },
  { name: 'no capabilities', spec: inContainer({ capabilities: {} }) },
  { name: 'host port', spec: spec({}, {}, { ports: [port(8080)] }) },
  { name: 'host port zero', spec: spec({}, {}, { ports: [{ containerPort: 1, hostPort: 0 }] }) },
  {
    name: 'host ports of two containers',
    spec: {
      containers: [
        { name: 'b', image, securityContext: harmless, ports: [port(9), port(80)] },
        { name: 'a', image, securityContext: harmless, ports: [port(10), { containerPort: 7 }] },
      ],
    },
  },
  ...volumes.map((source) => ({ name: `volume ${Object.keys(source)[0]}`, spec: spec({ volumes: [volume(source)] }) })),
  { name: 'many volumes', spec: spec({ volumes: volumes.slice(0, 5).map(volume) }) },
  { name: 'two host paths', spec: spec({ volumes: ['b', 'a'].map((name) => ({ name, hostPath: { path: '/a' } })) }) },
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => ({ name: field, spec: spec({}, {}, { [field]: probe }) })),
  { name: 'probes of two hosts', spec: spec({}, {}, { livenessProbe: probe, readinessProbe: tcp }) },
  { name: 'a probe without a host', spec: spec({}, {}, { livenessProbe: { httpGet: { port: 80 } } }) },
  { name: 'hooks', spec: spec({}, {}, { lifecycle: { preStop: probe, postStart: { httpGet: { port: 1, host: 'b' } } } }) },
  { name: 'proc mount', spec: inContainer({ procMount: 'Default' }) },
  { name: 'proc mount unmasked', spec: spec({ hostUsers: false }, { procMount: 'Unmasked' }) },
  { name: 'proc mount unmasked with the users of the host', spec: inContainer({ procMount: 'Unmasked' }) },
  ...[{ type: 'container_t' }, { type: 'container_engine_t' }, { type: 'spc_t' }, { user: 'u' }, { role: 'r' }, { level: 's0' }].flatMap(
    (seLinuxOptions) => [
      { name: `SELinux ${JSON.stringify(seLinuxOptions)} in the pod`, spec: inPod({ seLinuxOptions }) },
      { name: `SELinux ${JSON.stringify(seLinuxOptions)} in some`, spec: inSome({ seLinuxOptions }) },
    ],
  ),
  {
    name: 'SELinux everywhere',
    spec: { ...inSome({ seLinuxOptions: { type: 'b_t', user: 'u', role: 'r' } }), securityContext: { seLinuxOptions: { type: 'a_t' } } },
  },
  ...['RuntimeDefault', 'Localhost', 'Unconfined'].flatMap((type) => {
    const profile = { type, ...(type === 'Localhost' && { localhostProfile: 'a' }) }
    return [
      { name: `seccomp ${type} in the pod`, spec: inPod({ seccompProfile: profile }) },
      { name: `seccomp ${type} in some`, spec: inSome({ seccompProfile: profile }) },
      { name: `AppArmor ${type} in the pod`, spec: inPod({ appArmorProfile: profile }) },
      { name: `AppArmor ${type} in some`, spec: inSome({ appArmorProfile: profile }) },
    ]
  }),
  { name: 'no seccomp profile', spec: inContainer({ seccompProfile: undefined }) },
  { name: 'no seccomp profile in some', spec: inSome({ seccompProfile: undefined }) },
  {
    name: 'seccomp annotations',
    annotations: {
      'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
      'container.seccomp.security.alpha.kubernetes.io/main': 'localhost/a',
    },
    spec: inContainer({ seccompProfile: undefined }),
  },
  {
    name: 'AppArmor annotation',
    annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' },
    spec: spec({}),
  },
  {
    name: 'AppArmor annotation for localhost',
    annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/a' },
    spec: spec({}),
  },
  ...[false, true].flatMap((runAsNonRoot) => [
    {
      name: `runAsNonRoot ${runAsNonRoot} in the pod`,
      spec: { ...inContainer({ runAsNonRoot: undefined }), securityContext: { runAsNonRoot } },
    },
    { name: `runAsNonRoot ${runAsNonRoot} in some`, spec: inSome({ runAsNonRoot }) },
  ]),
  { name: 'runAsNonRoot not said', spec: inContainer({ runAsNonRoot: undefined }) },
  { name: 'runAsNonRoot not said, users of its own', spec: spec({ hostUsers: false }, { runAsNonRoot: undefined, runAsUser: 0 }) },
  ...[0, 1000].flatMap((runAsUser) => [
    { name: `user ${runAsUser} of the pod`, spec: inPod({ runAsUser }) },
    { name: `user ${runAsUser} of some`, spec: inSome({ runAsUser }) },
  ]),
  {
    name: 'user 0 everywhere',
    spec: { ...inSome({ runAsUser: 0, runAsNonRoot: false }), securityContext: { runAsUser: 0, runAsNonRoot: false } },
  },
  { name: 'sysctls, safe', spec: sysctl('kernel.shm_rmid_forced', 'net.ipv4.tcp_syncookies') },
  { name: 'sysctls, since 1.27', spec: sysctl('net.ipv4.ip_local_reserved_ports') },
  { name: 'sysctls, since 1.29', spec: sysctl('net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout') },
  { name: 'sysctls, since 1.32', spec: sysctl('net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem') },
  { name: 'sysctls, unsafe', spec: sysctl('kernel.msgmax', 'net.core.somaxconn') },
  { name: 'Windows', spec: { os: { name: 'windows' }, containers: [{ name: 'main', image }] } },
  { name: 'Linux', spec: { os: { name: 'linux' }, containers: [{ name: 'main', image }] } },
  {
    name: 'host process of Windows',
    spec: {
      os: { name: 'windows' },
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: 'a' } },
      containers: [{ name: 'main', image, securityContext: { windowsOptions: { hostProcess: true } } }],
    },
  },
  { name: 'null fields', spec: { ...spec({ volumes: [{ name: 'a', hostPath: null }] }), securityContext: null } },
]

/** The parts of several pods in one. */
function mixed(count: number): PodCase[] {
  const random = seededRandom(1)
  const pick = () => single[Math.floor(random.next() * single.length)]!
  return Array.from({ length: count }, (_, at) => {
    const parts = [pick(), pick(), pick()]
    const list = (field: string) =>
      parts.flatMap(({ spec }, i) => ((spec[field] ?? []) as Fields[]).map((one) => ({ ...one, name: `${one['name']}-${i}` })))
    const merged = Object.assign({}, ...parts.map(({ spec }) => spec)) as Fields
    return {
      name: `mixed ${at + 1}`,
      annotations: Object.assign({}, ...parts.map(({ annotations }) => annotations)) as Readonly<Record<string, string>>,
      spec: { ...merged, containers: list('containers'), initContainers: list('initContainers'), volumes: list('volumes') },
    }
  })
}

export const podCases: readonly PodCase[] = [...single, ...mixed(40)]

/** The versions in which a check changes, those before, and later ones. */
export const versions = [
  'v1.0',
  'v1.7',
  'v1.8',
  'v1.18',
  'v1.19',
  'v1.21',
  'v1.22',
  'v1.23',
  'v1.24',
  'v1.25',
  'v1.26',
  'v1.27',
  'v1.28',
].concat(['v1.29', 'v1.30', 'v1.31', 'v1.32', 'v1.33', 'v1.34', 'v1.35', 'v1.36', 'v1.37', 'v1.40', 'latest'])

export const podOf = ({ annotations, spec }: PodCase, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(annotations && { annotations }), ...more },
  spec,
})
