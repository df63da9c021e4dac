// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validateWebhooks } from '../validating-webhook-configuration/webhook-validation.ts'
import { mutatingWebhookConfigurations } from './kind.ts'

const mutatingWebhookConfiguration: Subject = {
  type: 'admissionregistration.MutatingWebhookConfiguration',
  strategy: mutatingWebhookConfigurations.strategy,
  base: {},
}
creates(validateWebhooks, mutatingWebhookConfiguration, [
  [
    'bad conditions',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          reinvocationPolicy: 'X',
          matchConditions: [
            { name: '', expression: '' },
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'true' },
            { name: 'a b', expression: 'true' },
          ],
        },
      ],
    },
    [
      'webhooks[0].reinvocationPolicy: Unsupported value: "X": supported values: "IfNeeded", "Never"',
      'webhooks[0].matchConditions[0].expression: Required value',
      'webhooks[0].matchConditions[0].name: Required value',
      'webhooks[0].matchConditions[2].name: Duplicate value: "a"',
      "webhooks[0].matchConditions[3].name: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'same names',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[1].name: Duplicate value: "a.b.c"'],
  ],
])
