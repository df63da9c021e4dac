// The admission that adds the pacer's gate to new pods: as a MutatingAdmissionPolicy with its binding, or as a webhook. The chart
// installs the same objects; a test compares them.
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  Role,
  ValidatingWebhookConfiguration,
} from '../../api/types.ts'
import { optInKey, optInValue } from '../../controllers/pacer/plan/opt-in.ts'
import { pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { observedKey } from '../remote/admission-proof.ts'
import { listKeyPrefix, listNameOf } from './pacer-opt-in-list.ts'
import { evictionPath, namespacePath, workloadPath } from './pacer-webhook.ts'

const apiVersion = 'admissionregistration.k8s.io/v1'

interface AdmissionObjectOptions {
  /** The name of each object. */
  readonly name: string
  /** Where the pacer runs. Its own pods never wait: nothing would release them. */
  readonly namespace: string
}

const elsewhere = (namespace: string) => ({ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [namespace] })
const newPods = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }

/** A pod with a node cannot have a gate. */
const matchConditions = [
  {
    name: 'is-controlled-by-a-replicaset-or-job',
    expression:
      "has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller && (o.kind == 'ReplicaSet' && o.apiVersion.startsWith('apps/') || o.kind == 'Job' && o.apiVersion.startsWith('batch/')))",
  },
  { name: 'has-no-node', expression: "!has(object.spec.nodeName) || object.spec.nodeName == ''" },
]

/** Of the policy, which also answers the probe of admission-proof.ts: a patch of the Role as a dry run. */
const policyConditions = (namespace: string) => [
  ...matchConditions.map(({ name, expression }) => ({ name, expression: `request.resource.resource == 'roles' || (${expression})` })),
  {
    name: 'is-the-probe-or-elsewhere',
    expression: `request.resource.resource == 'roles' ? request.dryRun : request.namespace != '${namespace}'`,
  },
]

/** The rules of plan/opt-in.ts in CEL. `params` is the Role whose annotations list the workloads that have the annotation. */
const variables = [
  { name: 'owner', expression: 'object.metadata.ownerReferences.filter(o, has(o.controller) && o.controller)[0]' },
  { name: 'own', expression: "variables.owner.kind + '/' + variables.owner.name + '='" },
  {
    name: 'suffix',
    expression:
      "has(object.metadata.labels) && 'pod-template-hash' in object.metadata.labels ? '-' + object.metadata.labels['pod-template-hash'] : ''",
  },
  {
    name: 'deployment',
    expression:
      "variables.owner.kind == 'ReplicaSet' && variables.suffix.size() > 1 && variables.owner.name.endsWith(variables.suffix) ? 'Deployment/' + variables.owner.name.substring(0, variables.owner.name.size() - variables.suffix.size()) + '=' : variables.own",
  },
  { name: 'key', expression: `'${listKeyPrefix}' + request.namespace` },
  {
    name: 'listed',
    expression:
      "params != null && has(params.metadata.annotations) && variables.key in params.metadata.annotations ? params.metadata.annotations[variables.key].split('\\n') : []",
  },
  {
    name: 'settings',
    expression:
      'variables.listed.filter(line, line.startsWith(variables.own)) + variables.listed.filter(line, line.startsWith(variables.deployment))',
  },
  {
    name: 'ofNamespace',
    expression: `has(namespaceObject.metadata.labels) && '${optInKey}' in namespaceObject.metadata.labels ? namespaceObject.metadata.labels['${optInKey}'] : ''`,
  },
  { name: 'policy', expression: "variables.settings.size() > 0 ? variables.settings[0].split('=')[1] : variables.ofNamespace" },
]

export function policyObjects({
  name,
  namespace,
}: AdmissionObjectOptions): readonly (MutatingAdmissionPolicy | MutatingAdmissionPolicyBinding | Role)[] {
  const metadata = { name }
  return [
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicy',
      metadata,
      spec: {
        failurePolicy: 'Ignore',
        reinvocationPolicy: 'Never',
        paramKind: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
        matchConstraints: {
          resourceRules: [
            newPods,
            {
              apiGroups: ['rbac.authorization.k8s.io'],
              apiVersions: ['v1'],
              operations: ['UPDATE'],
              resources: ['roles'],
              resourceNames: [listNameOf(name)],
            },
          ],
        },
        matchConditions: policyConditions(namespace),
        variables,
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: `request.resource.resource == 'pods' && variables.policy == '${optInValue}' ? Object{spec: Object.spec{schedulingGates: [Object.spec.schedulingGates{name: '${pacerGate}'}]}} : Object{}`,
            },
          },
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: `request.resource.resource == 'roles' && params != null ? Object{metadata: Object.metadata{annotations: {'${observedKey}': params.metadata.resourceVersion}}} : Object{}`,
            },
          },
        ],
      },
    },
    {
      apiVersion,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, paramRef: { name: listNameOf(name), namespace, parameterNotFoundAction: 'Allow' } },
    },
    // The pacer lists the workloads with the annotation in annotations of this Role, which grants nothing.
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: listNameOf(name), namespace }, rules: [] },
  ]
}

/** `url` instead of a Service: for a pacer that runs outside the cluster. The pacer writes the caBundle. */
export function webhookObjects({ name, namespace }: AdmissionObjectOptions, url?: string): readonly MutatingWebhookConfiguration[] {
  const webhook = (prefix: string, path: string, operator: 'In' | 'NotIn') => ({
    name: `${prefix}.pacer.rollcall.dev`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Ignore',
    timeoutSeconds: 2,
    reinvocationPolicy: 'Never',
    clientConfig: url === undefined ? { service: { name, namespace, path, port: 443 } } : { url: `${url}${path}` },
    namespaceSelector: { matchExpressions: [elsewhere(namespace), { key: optInKey, operator, values: [optInValue] }] },
    rules: [{ ...newPods, scope: 'Namespaced' }],
    matchConditions,
  })
  return [
    {
      apiVersion,
      kind: 'MutatingWebhookConfiguration',
      metadata: { name },
      webhooks: [webhook('namespace', namespacePath, 'In'), webhook('workload', workloadPath, 'NotIn')],
    },
  ]
}

/** Evictions of the pods of the pacer itself are not answered by it. */
export function evictionObjects({ name, namespace }: AdmissionObjectOptions, url?: string): readonly ValidatingWebhookConfiguration[] {
  return [
    {
      apiVersion,
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: [
        {
          name: 'evictions.pacer.rollcall.dev',
          admissionReviewVersions: ['v1'],
          sideEffects: 'NoneOnDryRun',
          failurePolicy: 'Ignore',
          timeoutSeconds: 5,
          clientConfig:
            url === undefined ? { service: { name, namespace, path: evictionPath, port: 443 } } : { url: `${url}${evictionPath}` },
          namespaceSelector: { matchExpressions: [elsewhere(namespace)] },
          rules: [{ ...newPods, resources: ['pods/eviction'], scope: 'Namespaced' }],
        },
      ],
    },
  ]
}
