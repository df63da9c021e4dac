// A valid object of every stored kind, for operations that both servers get.
import { authority } from '../../src/api/kinds/certificates/cluster-trust-bundle/testing/certificates.ts'
import { signingRequests } from '../../src/api/testing/signing-requests.ts'
import { namespace, sound, type ValidObject, validObjects } from '../front-door/valid-objects.ts'

export { namespace }

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }]
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }]
const clientConfig = { url: 'https://127.0.0.1:1/hook' }
// It matches no request of the run.
const hookRules = [{ operations: ['CREATE'], apiGroups: ['example.org'], apiVersions: ['v1'], resources: ['nothings'] }]
const webhooks = [{ name: 'hook.example.org', clientConfig, rules: hookRules, sideEffects: 'None', admissionReviewVersions: ['v1'] }]
const matchConstraints = { resourceRules: hookRules }
const deviceRequests = [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 } }]
const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1, default: 1 }, mode: { type: 'string', enum: ['a', 'b'] } } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}
const definitionSpec = (plural: string, kind: string) => ({
  group: 'differential.example.org',
  scope: 'Namespaced',
  names: { plural, kind },
  versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } }],
})

/** Exists on both servers before the run, so that its objects can be created. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.differential.example.org' },
  spec: definitionSpec('widgets', 'Widget'),
}

const cluster = { cluster: true } as const
const clusterWithStatus = { cluster: true, status: true } as const
const status = { status: true } as const

const more: readonly ValidObject[] = [
  sound(
    'autoscaling/v2',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
        behavior: { scaleDown: { policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }] } },
      },
    },
    status,
  ),
  sound(
    'autoscaling/v1',
    'horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 5 } },
    status,
  ),
  sound('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', {
    spec: {
      podSelector: { matchLabels: { app: 'x' } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] }],
    },
  }),
  sound(
    'networking.k8s.io/v1',
    'ingresses',
    'Ingress',
    {
      spec: {
        rules: [
          {
            host: 'a.example.org',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
          },
        ],
        tls: [{ hosts: ['a.example.org'], secretName: 's' }],
      },
    },
    status,
  ),
  sound('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', { spec: { controller: 'example.org/c' } }, cluster),
  sound('networking.k8s.io/v1', 'servicecidrs', 'ServiceCIDR', { spec: { cidrs: ['10.9.0.0/24'] } }, clusterWithStatus),
  sound('rbac.authorization.k8s.io/v1', 'roles', 'Role', { rules }),
  sound('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding', { roleRef, subjects }),
  sound('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', { rules }, cluster),
  sound('rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', { roleRef, subjects }, cluster),
  sound('admissionregistration.k8s.io/v1', 'validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', { webhooks }, cluster),
  sound('admissionregistration.k8s.io/v1', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', { webhooks }, cluster),
  sound(
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicies',
    'ValidatingAdmissionPolicy',
    { spec: { matchConstraints, validations: [{ expression: 'object.spec.replicas < 5', message: 'm' }], failurePolicy: 'Ignore' } },
    clusterWithStatus,
  ),
  sound(
    'admissionregistration.k8s.io/v1',
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'none', validationActions: ['Deny'], matchResources: matchConstraints } },
    cluster,
  ),
  sound(
    'certificates.k8s.io/v1',
    'certificatesigningrequests',
    'CertificateSigningRequest',
    { spec: { request: btoa(signingRequests.alice), signerName: 'example.org/s', usages: ['client auth'] } },
    clusterWithStatus,
  ),
  sound('certificates.k8s.io/v1', 'clustertrustbundles', 'ClusterTrustBundle', { spec: { trustBundle: authority } }, cluster),
  sound(
    'certificates.k8s.io/v1',
    'podcertificaterequests',
    'PodCertificateRequest',
    {
      spec: {
        signerName: 'example.org/s',
        podName: 'p',
        podUID: 'u',
        serviceAccountName: 'default',
        serviceAccountUID: 'u',
        nodeName: 'n',
        nodeUID: 'u',
        stubPKCS10Request: signingRequests.alice.replaceAll(/-----[^-]*-----|\s/g, ''),
      },
    },
    status,
  ),
  sound(
    'storagemigration.k8s.io/v1',
    'storageversionmigrations',
    'StorageVersionMigration',
    { spec: { resource: { group: 'apps', resource: 'deployments' } } },
    clusterWithStatus,
  ),
  sound(
    'resource.k8s.io/v1',
    'devicetaintrules',
    'DeviceTaintRule',
    { spec: { deviceSelector: { driver: 'd.example.org', pool: 'p', device: 'd0' }, taint: { key: 'a', effect: 'NoSchedule' } } },
    clusterWithStatus,
  ),
  sound(
    'flowcontrol.apiserver.k8s.io/v1',
    'flowschemas',
    'FlowSchema',
    {
      spec: {
        priorityLevelConfiguration: { name: 'global-default' },
        matchingPrecedence: 5000,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'nobody' } }],
            resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
          },
        ],
      },
    },
    clusterWithStatus,
  ),
  sound(
    'flowcontrol.apiserver.k8s.io/v1',
    'prioritylevelconfigurations',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
    clusterWithStatus,
  ),
  sound('node.k8s.io/v1', 'runtimeclasses', 'RuntimeClass', { handler: 'h', overhead: { podFixed: { cpu: '10m' } } }, cluster),
  sound(
    'resource.k8s.io/v1',
    'deviceclasses',
    'DeviceClass',
    { spec: { selectors: [{ cel: { expression: 'device.driver == "a"' } }] } },
    cluster,
  ),
  sound('resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim', { spec: { devices: { requests: deviceRequests } } }, status),
  sound('resource.k8s.io/v1', 'resourceclaimtemplates', 'ResourceClaimTemplate', {
    spec: { spec: { devices: { requests: deviceRequests } } },
  }),
  sound(
    'resource.k8s.io/v1',
    'resourceslices',
    'ResourceSlice',
    {
      spec: {
        driver: 'd.example.org',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd0', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } }],
      },
    },
    cluster,
  ),
  sound('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', { spec: { attachRequired: true, podInfoOnMount: false } }, cluster),
  sound('storage.k8s.io/v1', 'csinodes', 'CSINode', { spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['zone'] }] } }, cluster),
  sound('storage.k8s.io/v1', 'csistoragecapacities', 'CSIStorageCapacity', { storageClassName: 's', capacity: '1Gi' }),
  sound(
    'storage.k8s.io/v1',
    'volumeattachments',
    'VolumeAttachment',
    { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
    clusterWithStatus,
  ),
  sound('storage.k8s.io/v1', 'volumeattributesclasses', 'VolumeAttributesClass', { driverName: 'd', parameters: { a: 'b' } }, cluster),
  sound('events.k8s.io/v1', 'events', 'Event', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.org/c',
    reportingInstance: 'i',
    action: 'Run',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', name: 'p', namespace },
  }),
  sound(
    'admissionregistration.k8s.io/v1',
    'mutatingadmissionpolicies',
    'MutatingAdmissionPolicy',
    {
      spec: {
        matchConstraints,
        failurePolicy: 'Ignore',
        reinvocationPolicy: 'Never',
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", path: "/a", value: "b"}]' } }],
      },
    },
    cluster,
  ),
  sound(
    'admissionregistration.k8s.io/v1',
    'mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
    { spec: { policyName: 'none', matchResources: matchConstraints } },
    cluster,
  ),
  sound('networking.k8s.io/v1', 'ipaddresses', 'IPAddress', {}, cluster),
  ...['SubjectAccessReview', 'SelfSubjectAccessReview', 'LocalSubjectAccessReview'].map((kind) =>
    sound(
      'authorization.k8s.io/v1',
      `${kind.toLowerCase()}s`,
      kind,
      {
        spec: {
          ...(!kind.startsWith('Self') && { user: 'jane', groups: ['a'] }),
          resourceAttributes: { verb: 'get', resource: 'pods', ...(kind.startsWith('Local') && { namespace }) },
        },
      },
      kind.startsWith('Local') ? {} : cluster,
    ),
  ),
  sound('authentication.k8s.io/v1', 'tokenreviews', 'TokenReview', { spec: { token: 'abc', audiences: ['a'] } }, cluster),
  sound('apiregistration.k8s.io/v1', 'apiservices', 'APIService', {}, clusterWithStatus),
  sound('apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', {}, clusterWithStatus),
  sound('differential.example.org/v1', 'widgets', 'Widget', { spec: { size: 2, mode: 'a' } }, status),
]

/** Names that the kind itself prescribes. */
function named(one: ValidObject): ValidObject {
  const rename = (name: string, fields: object): ValidObject => ({
    ...one,
    name,
    object: { ...one.object, ...fields, metadata: { ...one.object.metadata, name } },
  })
  if (one.kind === 'APIService')
    return rename('v1.other.example.org', {
      spec: {
        group: 'other.example.org',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { name: 's', namespace },
      },
    })
  if (one.kind === 'IPAddress') return rename('10.9.0.7', { spec: { parentRef: { resource: 'services', namespace, name: 's' } } })
  if (one.kind === 'CustomResourceDefinition')
    return rename('gadgets.differential.example.org', { spec: definitionSpec('gadgets', 'Gadget') })
  return one
}

/** The namespace itself is not among them: it would take the others with it. */
export const objects: readonly ValidObject[] = [...validObjects, ...more].map(named)
