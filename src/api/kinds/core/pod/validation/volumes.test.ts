import { describe, expect, it } from 'vitest'
import { context, type ExamplePod, exampleContainer, examplePod, labelRule, messagesOf, subdomainRule } from '../testing/example-pod.ts'
import { validatePod, validatePodTemplateSpec } from '../validation.ts'

type Volume = NonNullable<ExamplePod['spec']['volumes']>[number]
type Row = readonly [name: string, volume: Omit<Volume, 'name'>, messages: readonly string[]]

const at = 'spec.volumes[0]'
const onlyOne = 'may not specify more than 1 volume type'
const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive'

const rows: readonly Row[] = [
  ['no source', {}, [`${at}: Required value: must specify a volume type`]],
  [
    'three sources',
    { hostPath: { path: '/a' }, downwardAPI: {}, cephfs: { monitors: ['a'] } },
    [`${at}.cephFS: Forbidden: ${onlyOne}`, `${at}.downwarAPI: Forbidden: ${onlyOne}`],
  ],
  [
    'a negative size',
    { emptyDir: { sizeLimit: '-1' } },
    [`${at}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
  ],
  ['a host path of nothing', { hostPath: { path: '', type: 'x' } }, [`${at}.hostPath.path: Required value`]],
  [
    'a host path that goes up, of an unknown type',
    { hostPath: { path: '/a/../b', type: 'Dir' } },
    [
      `${at}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`,
      `${at}.hostPath.type: Unsupported value: "Dir": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
    ],
  ],
  [
    'gitRepo',
    { gitRepo: { repository: '', directory: '/x' } },
    [`${at}.gitRepo.repository: Required value`, `${at}.gitRepo.directory: Invalid value: "/x": must be a relative path`],
  ],
  [
    'gcePersistentDisk',
    { gcePersistentDisk: { pdName: '', partition: 256 } },
    [
      `${at}.persistentDisk.pdName: Required value`,
      `${at}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
    ],
  ],
  [
    'awsElasticBlockStore',
    { awsElasticBlockStore: { volumeID: '', partition: -1 } },
    [
      `${at}.awsElasticBlockStore.volumeID: Required value`,
      `${at}.awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive`,
    ],
  ],
  [
    'secret',
    {
      secret: {
        secretName: '',
        defaultMode: 512,
        items: [
          { key: '', path: '' },
          { key: 'a', path: '..a', mode: -1 },
          { key: 'a', path: '../a' },
        ],
      },
    },
    [
      `${at}.secret.secretName: Required value`,
      `${at}.secret.defaultMode: Invalid value: 512: ${modeRule}`,
      `${at}.secret.items[0].key: Required value`,
      `${at}.secret.items[0].path: Required value`,
      `${at}.secret.items[1].path: Invalid value: "..a": must not start with '..'`,
      `${at}.secret.items[1].mode: Invalid value: -1: ${modeRule}`,
      `${at}.secret.items[2].path: Invalid value: "../a": must not contain '..'`,
    ],
  ],
  [
    'configMap',
    { configMap: { name: '', defaultMode: 1000 } },
    [`${at}.configMap.name: Required value`, `${at}.configMap.defaultMode: Invalid value: 1000: ${modeRule}`],
  ],
  [
    'nfs',
    { nfs: { server: '', path: '' } },
    [`${at}.nfs.server: Required value`, `${at}.nfs.path: Required value`, `${at}.nfs.path: Invalid value: "": must be an absolute path`],
  ],
  [
    'iscsi',
    { iscsi: { targetPortal: 'p'.repeat(64), iqn: 'x', lun: 256, chapAuthSession: true, initiatorName: 'eui.1' } },
    [
      `${at}.iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa`,
      `${at}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
      `${at}.iscsi.secretRef: Required value`,
      `${at}.iscsi.initiatorname: Invalid value: "eui.1": must be valid format`,
      `${at}.name: Invalid value: "data": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.`,
    ],
  ],
  [
    'glusterfs',
    { glusterfs: { endpoints: '', path: '' } },
    [`${at}.glusterfs.endpoints: Required value`, `${at}.glusterfs.path: Required value`],
  ],
  [
    'flocker with both names',
    { flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
    [
      `${at}.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously`,
      `${at}.flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
    ],
  ],
  ['flocker with none', { flocker: {} }, [`${at}.flocker: Required value: one of datasetName and datasetUUID is required`]],
  ['a claim without a name', { persistentVolumeClaim: { claimName: '' } }, [`${at}.persistentVolumeClaim.claimName: Required value`]],
  ['rbd', { rbd: { monitors: [], image: '' } }, [`${at}.rbd.monitors: Required value`, `${at}.rbd.image: Required value`]],
  [
    'cinder',
    { cinder: { volumeID: '', secretRef: {} } },
    [`${at}.cinder.volumeID: Required value`, `${at}.cinder.secretRef.name: Required value`],
  ],
  ['cephfs', { cephfs: { monitors: [] } }, [`${at}.cephfs.monitors: Required value`]],
  [
    'quobyte',
    { quobyte: { registry: 'a:1,b', volume: '' } },
    [
      `${at}.quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas`,
      `${at}.quobyte.volume: Required value`,
    ],
  ],
  ['fc', { fc: {} }, [`${at}.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both`]],
  [
    'fc with both',
    { fc: { targetWWNs: ['a'], wwids: ['b'] } },
    [
      `${at}.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously`,
      `${at}.fc.lun: Required value: lun is required if targetWWNs is specified`,
    ],
  ],
  [
    'flexVolume',
    { flexVolume: { driver: '', options: { 'a.KUBERNETES.io/b': 'c', ok: 'd' } } },
    [
      `${at}.flexVolume.driver: Required value`,
      `${at}.flexVolume.options[a.KUBERNETES.io/b]: Invalid value: "a.KUBERNETES.io/b": kubernetes.io and k8s.io namespaces are reserved`,
    ],
  ],
  [
    'azureFile',
    { azureFile: { secretName: '', shareName: '' } },
    [`${at}.azureFile.secretName: Required value`, `${at}.azureFile.shareName: Required value`],
  ],
  [
    'azureDisk',
    { azureDisk: { diskName: '', diskURI: 'x', cachingMode: 'a', kind: 'Managed' } },
    [
      `${at}.azureDisk.diskName: Required value`,
      `${at}.azureDisk.cachingMode: Unsupported value: "a": supported values: "None", "ReadOnly", "ReadWrite"`,
      `${at}.azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"`,
    ],
  ],
  ['vsphereVolume', { vsphereVolume: { volumePath: '' } }, [`${at}.vsphereVolume.volumePath: Required value`]],
  ['photonPersistentDisk', { photonPersistentDisk: { pdID: '' } }, [`${at}.photonPersistentDisk.pdID: Required value`]],
  ['portworxVolume', { portworxVolume: { volumeID: '' } }, [`${at}.portworxVolume.volumeID: Required value`]],
  [
    'storageos',
    { storageos: { volumeName: 'A', volumeNamespace: 'B', secretRef: {} } },
    [
      `${at}.storageos.volumeName: Invalid value: "A": ${labelRule}`,
      `${at}.storageos.volumeNamespace: Invalid value: "B": ${labelRule}`,
      `${at}.storageos.secretRef.name: Required value`,
    ],
  ],
  [
    'scaleIO',
    { scaleIO: { gateway: '', system: '', secretRef: {}, volumeName: '' } },
    [`${at}.scaleIO.gateway: Required value`, `${at}.scaleIO.system: Required value`, `${at}.scaleIO.volumeName: Required value`],
  ],
  [
    'csi',
    { csi: { driver: `${'a'.repeat(64)}`, nodePublishSecretRef: { name: 'S' } } },
    [`${at}.csi.driver: Too long: may not be more than 63 bytes`, `${at}.csi.name: Invalid value: "S": ${subdomainRule}`],
  ],
  [
    'csi without a driver',
    { csi: { driver: '', nodePublishSecretRef: {} } },
    [`${at}.csi.driver: Required value`, `${at}.csi.nodePublishSecretRef.name: Required value`],
  ],
  ['image', { image: {} }, [`${at}.image.reference: Required value`, `${at}.image.pullPolicy: Required value`]],
  ['ephemeral without a template', { ephemeral: {} }, [`${at}.ephemeral.volumeClaimTemplate: Required value`]],
  [
    'ephemeral',
    {
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { name: 'x', labels: { 'a b': '' } },
          spec: {
            accessModes: ['ReadWriteOncePod', 'ReadWriteOnce', 'Read'],
            storageClassName: 'X',
            volumeMode: 'Disk',
            volumeAttributesClassName: 'Y',
            resources: { requests: { storage: '0' } },
            dataSource: { kind: '', name: '' },
            dataSourceRef: { apiGroup: 'Z', kind: 'K', name: 'n' },
          },
        },
      },
    },
    (() => {
      const claim = `${at}.ephemeral.volumeClaimTemplate`
      return [
        `${claim}.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        `${claim}.metadata.name: Forbidden: cannot be set`,
        `${claim}.spec.accessModes: Unsupported value: "Read": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"`,
        `${claim}.spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes`,
        `${claim}.spec.resources[storage]: Invalid value: "0": must be greater than zero`,
        `${claim}.spec.storageClassName: Invalid value: "X": ${subdomainRule}`,
        `${claim}.spec.volumeMode: Unsupported value: "Disk": supported values: "Block", "Filesystem"`,
        `${claim}.spec.dataSource.name: Required value`,
        `${claim}.spec.dataSource.kind: Required value`,
        `${claim}.spec.dataSource: Invalid value: "": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
        `${claim}.spec.dataSourceRef.apiGroup: Invalid value: "Z": ${subdomainRule}`,
        `${claim}.spec: Invalid value: {}: must match dataSourceRef`,
        `${claim}.spec.volumeAttributesClassName: Invalid value: "Y": ${subdomainRule}`,
      ]
    })(),
  ],
  [
    'downwardAPI',
    {
      downwardAPI: {
        defaultMode: -1,
        items: [
          { path: '' },
          {
            path: 'a',
            mode: 999,
            fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' },
            resourceFieldRef: { resource: 'limits.cpu' },
          },
          { path: 'b', resourceFieldRef: { resource: 'limits.cpu' } },
        ],
      },
    },
    [
      `${at}.downwardAPI.defaultMode: Invalid value: -1: ${modeRule}`,
      `${at}.downwardAPI.path: Required value`,
      `${at}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
      `${at}.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
      `${at}.downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously`,
      `${at}.downwardAPI.mode: Invalid value: 999: ${modeRule}`,
      `${at}.downwardAPI.resourceFieldRef.containerName: Required value`,
    ],
  ],
  [
    'projected',
    {
      projected: {
        defaultMode: 512,
        sources: [
          { secret: { name: '', items: [{ key: 'a', path: 'p' }] }, configMap: { name: 'c', items: [{ key: 'a', path: 'p' }] } },
          { downwardAPI: { items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }] } },
          { serviceAccountToken: { path: '', expirationSeconds: 599 } },
          { serviceAccountToken: { path: '/t', expirationSeconds: 2 ** 32 + 1 } },
        ],
      },
    },
    [
      `${at}.projected.defaultMode: Invalid value: 512: ${modeRule}`,
      `${at}.projected.sources[0].secret.name: Required value`,
      `${at}.projected: Invalid value: "c": conflicting duplicate paths`,
      `${at}.projected.sources[0]: Forbidden: may not specify more than 1 volume type per source`,
      `${at}.projected: Invalid value: "p": conflicting duplicate paths`,
      `${at}.projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
      `${at}.projected.path: Required value`,
      `${at}.projected.sources[3].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
      `${at}.projected.path: Invalid value: "/t": must be a relative path`,
    ],
  ],
  [
    'trust bundles',
    {
      projected: {
        sources: [
          { clusterTrustBundle: { path: 'a' } },
          { clusterTrustBundle: { name: 'n', signerName: 's', path: 'b' } },
          { clusterTrustBundle: { name: 'example.com:foo:Bar', path: 'c' } },
          { clusterTrustBundle: { signerName: 'nothing', path: 'd' } },
        ],
      },
    },
    [
      `${at}.projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified`,
      `${at}.projected.sources[1].clusterTrustBundle: Invalid value: {"Name":"n","SignerName":"s","LabelSelector":null,"Optional":null,"Path":"b","User":null}: only one of name and signerName may be used`,
      `${at}.projected.sources[2].clusterTrustBundle.name: Invalid value: "example.com:foo:Bar": not a valid clustertrustbundlename: ${subdomainRule}`,
      `${at}.projected.sources[3].clusterTrustBundle.signerName: Invalid value: "nothing": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
    ],
  ],
  [
    'pod certificates',
    {
      projected: {
        sources: [
          { podCertificate: { signerName: '', keyType: 'RSA' } },
          {
            podCertificate: {
              signerName: 'example.com/x',
              keyType: 'ED25519',
              maxExpirationSeconds: 60,
              keyPath: 'k',
              certificateChainPath: 'k',
            },
          },
          { podCertificate: { signerName: 'kubernetes.io/x', keyType: 'ED25519', maxExpirationSeconds: 86401, keyPath: 'l' } },
        ],
      },
    },
    [
      `${at}.projected.sources[0].podCertificate.signerName: Required value`,
      `${at}.projected.sources[0].podCertificate.keyType: Unsupported value: "RSA": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
      `${at}.projected.sources[0].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`,
      `${at}.projected.sources[1].podCertificate.maxExpirationSeconds: Invalid value: 60: if provided, maxExpirationSeconds must be >= 3600`,
      `${at}.projected: Invalid value: "k": conflicting duplicate paths`,
      `${at}.projected.sources[2].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400`,
    ],
  ],
]

describe('validatePod(), volumes', () => {
  it.each(rows)('%s', (_name, source, messages) => {
    const pod = examplePod()
    pod.spec.volumes = [{ name: 'data', ...source }]
    expect(messagesOf(validatePod(pod, context))).toEqual(messages)
  })

  it('requires each name once, and in form', () => {
    const pod = examplePod()
    pod.spec.volumes = [
      { name: '', emptyDir: {} },
      { name: 'a', emptyDir: {} },
      { name: 'a', emptyDir: {} },
      { name: 'A', emptyDir: {} },
    ]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.volumes[0].name: Required value',
      'spec.volumes[2].name: Duplicate value: "a"',
      `spec.volumes[3].name: Invalid value: "A": ${labelRule}`,
    ])
  })

  it('does not know a volume that is wrong', () => {
    const pod = examplePod()
    pod.spec.volumes = [{ name: 'data' }]
    pod.spec.containers = [exampleContainer({ volumeMounts: [{ name: 'data', mountPath: '/a' }] })]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.volumes[0]: Required value: must specify a volume type',
      'spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ])
  })

  it('keeps the claims of ephemeral volumes apart', () => {
    const pod = examplePod()
    const volumeClaimTemplate = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
    pod.metadata.name = 'w'.repeat(250)
    pod.spec.volumes = [
      { name: 'data', ephemeral: { volumeClaimTemplate } },
      { name: 'other', persistentVolumeClaim: { claimName: `${pod.metadata.name}-data` } },
    ]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      `spec.volumes[0].name: Invalid value: "data": PVC name "${pod.metadata.name}-data": must be no more than 253 characters`,
      `spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "${pod.metadata.name}-data": must not reference a PVC that gets created for an ephemeral volume`,
    ])
  })

  it('gives tokens only to pods with a service account', () => {
    const pod = examplePod()
    delete pod.spec.serviceAccountName
    delete pod.spec.serviceAccount
    pod.spec.volumes = [{ name: 'token', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] } }]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.volumes[0].projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
    ])
  })

  it('accepts a template without the reference of an image', () => {
    const { spec } = examplePod()
    spec.volumes = [{ name: 'image', image: { pullPolicy: 'Always' } }]
    expect(messagesOf(validatePodTemplateSpec({ spec }, 'spec.template'))).toEqual([])
  })
})
