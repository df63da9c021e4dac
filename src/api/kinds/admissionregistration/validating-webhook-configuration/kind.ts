import type { Kind } from '../../../machinery/kind.ts'
import type { ValidatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from './columns.ts'
import { defaultWebhooks } from './webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from './webhook-validation.ts'

export const validatingWebhookConfigurations: Kind<ValidatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.ValidatingWebhookConfiguration',
  types: {
    'admissionregistration.ValidatingWebhookConfiguration': {
      $typeMeta: 'object',
      webhooks: '[]admissionregistration.ValidatingWebhook patch=merge mergeKey=name list=map keys=name #2',
    },
    'admissionregistration.ValidatingWebhook': {
      name: 'string always required #1',
      clientConfig: 'admissionregistration.WebhookClientConfig always required #2',
      rules: '[]admissionregistration.RuleWithOperations list=atomic #3',
      failurePolicy: '*string enum=Fail|Ignore goType=v1.FailurePolicyType #4',
      matchPolicy: '*string enum=Equivalent|Exact goType=v1.MatchPolicyType #9',
      namespaceSelector: '*meta.LabelSelector #5',
      objectSelector: '*meta.LabelSelector #10',
      sideEffects: '*string always required enum=None|NoneOnDryRun|Some|Unknown goType=v1.SideEffectClass #6',
      timeoutSeconds: '*int32 #7',
      admissionReviewVersions: '[]string always list=atomic required #8',
      matchConditions: '[]admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #11',
    },
    'admissionregistration.WebhookClientConfig': {
      url: '*string goName=URL #3',
      service: '*admissionregistration.ServiceReference #1',
      caBundle: 'bytes goName=CABundle #2',
    },
    'admissionregistration.RuleWithOperations': {
      operations: '[]string list=atomic goType=[]v1.OperationType #1',
      apiGroups: '[]string list=atomic goName=APIGroups in=Rule #2.1',
      apiVersions: '[]string list=atomic goName=APIVersions in=Rule #2.2',
      resources: '[]string list=atomic in=Rule #2.3',
      scope: '*string enum=*|Cluster|Namespaced goType=v1.ScopeType in=Rule #2.4',
    },
    'admissionregistration.MatchCondition': {
      name: 'string always required #1',
      expression: 'string always required #2',
    },
    'admissionregistration.ServiceReference': {
      namespace: 'string always required #1',
      name: 'string always required #2',
      path: '*string #3',
      port: '*int32 #4',
    },
  },
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (configuration) => defaultWebhooks('admissionregistration.ValidatingWebhook', configuration),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateWebhooks,
    validateUpdate: validateWebhooksUpdate,
  },
  columns: webhookConfigurationColumns,
}
