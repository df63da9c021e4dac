import type { Kind } from '../../../machinery/kind.ts'
import type { MutatingWebhookConfiguration } from '../../../types.ts'
import { webhookConfigurationColumns } from '../validating-webhook-configuration/columns.ts'
import { defaultWebhooks } from '../validating-webhook-configuration/webhook-defaults.ts'
import { validateWebhooks, validateWebhooksUpdate } from '../validating-webhook-configuration/webhook-validation.ts'

export const mutatingWebhookConfigurations: Kind<MutatingWebhookConfiguration> = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  namespaced: false,
  type: 'admissionregistration.MutatingWebhookConfiguration',
  types: {
    'admissionregistration.MutatingWebhookConfiguration': {
      $typeMeta: 'object',
      webhooks: '[]admissionregistration.MutatingWebhook patch=merge mergeKey=name list=map keys=name #2',
    },
    'admissionregistration.MutatingWebhook': {
      name: 'string always required #1',
      clientConfig: 'admissionregistration.WebhookClientConfig always required #2',
      rules: '[]admissionregistration.RuleWithOperations list=atomic #3',
      failurePolicy: '*string enum=Fail|Ignore goType=v1.FailurePolicyType #4',
      matchPolicy: '*string enum=Equivalent|Exact goType=v1.MatchPolicyType #9',
      namespaceSelector: '*meta.LabelSelector #5',
      objectSelector: '*meta.LabelSelector #11',
      sideEffects: '*string always required enum=None|NoneOnDryRun|Some|Unknown goType=v1.SideEffectClass #6',
      timeoutSeconds: '*int32 #7',
      admissionReviewVersions: '[]string always list=atomic required #8',
      reinvocationPolicy: '*string enum=IfNeeded|Never goType=v1.ReinvocationPolicyType #10',
      matchConditions: '[]admissionregistration.MatchCondition patch=merge mergeKey=name list=map keys=name #12',
    },
  },
  strategy: {
    generation: true,
    unconditionalUpdate: false,
    default: (configuration) => defaultWebhooks('admissionregistration.MutatingWebhook', configuration, { reinvocationPolicy: 'Never' }),
    metadata: { anyFinalizer: true, onUpdate: ['as new'] },
    validate: validateWebhooks,
    validateUpdate: validateWebhooksUpdate,
  },
  columns: webhookConfigurationColumns,
}
