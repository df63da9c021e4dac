// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { validatingWebhookConfigurations } from './kind.ts'
import { validateWebhooks } from './webhook-validation.ts'

const validatingWebhookConfiguration: Subject = {
  type: 'admissionregistration.ValidatingWebhookConfiguration',
  strategy: validatingWebhookConfigurations.strategy,
  base: {},
}
creates(validateWebhooks, validatingWebhookConfiguration, [
  [
    'short name',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'ab',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].name: Invalid value: "ab": should be a domain with at least three segments separated by dots'],
  ],
  [
    'no side effects',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun'],
  ],
  [
    'some side effects',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'Some',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          failurePolicy: 'X',
          matchPolicy: 'Y',
          timeoutSeconds: 40,
        },
      ],
    },
    [
      'webhooks[0].failurePolicy: Unsupported value: "X": supported values: "Fail", "Ignore"',
      'webhooks[0].matchPolicy: Unsupported value: "Y": supported values: "Equivalent", "Exact"',
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      'webhooks[0].timeoutSeconds: Invalid value: 40: the timeout value must be between 1 and 30 seconds',
    ],
  ],
  [
    'no versions',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: [],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
  ],
  [
    'bad versions',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v2', 'v2', 'A'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    [
      'webhooks[0].admissionReviewVersions[1]: Invalid value: "v2": duplicate version',
      "webhooks[0].admissionReviewVersions[2]: Invalid value: \"A\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2","v2","A"]: must include at least one of v1, v1beta1',
    ],
  ],
  [
    'no client',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: {},
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
  ],
  [
    'both client',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].clientConfig: Required value: exactly one of url or service is required'],
  ],
  [
    'http url',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'http://u:p@a/b?c=d#e' },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    [
      'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      'webhooks[0].clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "e": fragments are not permitted in the URL',
      'webhooks[0].clientConfig.url: Invalid value: "c=d": query parameters are not permitted in the URL',
    ],
  ],
  [
    'no host',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { url: 'https:///x' },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    ['webhooks[0].clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]'],
  ],
  [
    'bad service',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: '', namespace: 'n', path: 'foo//bar', port: 0 } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    [
      'webhooks[0].clientConfig.service.namespace: Required value',
      'webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      'webhooks[0].clientConfig.service.path: Invalid value: "foo//bar": must start with a \'/\'',
      'webhooks[0].clientConfig.service.path: Invalid value: "foo//bar": segment[1] may not be empty',
    ],
  ],
  [
    'bad service2',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 'n', path: '/A/b/', port: 70000 } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
        },
      ],
    },
    [
      'webhooks[0].clientConfig.service.name: Required value',
      'webhooks[0].clientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive',
      "webhooks[0].clientConfig.service.path: Invalid value: \"/A/b/\": segment[0]: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'bad rules',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          rules: [
            { apiGroups: ['*', 'a'], apiVersions: ['*', ''], operations: ['CREATE', '*', 'X'], resources: ['pods/ephemeralcontainers'] },
          ],
        },
      ],
    },
    [
      'webhooks[0].rules[0].operations: Invalid value: ["CREATE","*","X"]: if \'*\' is present, must not specify other operations',
      'webhooks[0].rules[0].operations[2]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      'webhooks[0].rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
      'webhooks[0].rules[0].apiVersions: Invalid value: ["*",""]: if \'*\' is present, must not specify other API versions',
      'webhooks[0].rules[0].apiVersions[1]: Required value',
    ],
  ],
  [
    'bad resources',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          rules: [
            {
              apiGroups: [''],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['*', 'pods', 'a/*', 'a/b', '*/c', 'd/c', ''],
              scope: 'X',
            },
          ],
        },
      ],
    },
    [
      'webhooks[0].rules[0].resources[3]: Invalid value: "a/b": if \'a/*\' is present, must not specify a/b',
      'webhooks[0].rules[0].resources[5]: Invalid value: "d/c": if \'*/c\' is present, must not specify d/c',
      'webhooks[0].rules[0].resources[6]: Required value',
      'webhooks[0].rules[0].resources: Invalid value: ["*","pods","a/*","a/b","*/c","d/c",""]: if \'*\' is present, must not specify other resources without subresources',
      'webhooks[0].rules[0].scope: Unsupported value: "X": supported values: "*", "Cluster", "Namespaced"',
    ],
  ],
  [
    'all resources',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*/*', 'pods'] }],
        },
      ],
    },
    ['webhooks[0].rules[0].resources: Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources'],
  ],
  [
    'empty rule',
    {
      metadata: { name: 'x' },
      webhooks: [
        {
          name: 'a.b.c',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          clientConfig: { service: { name: 's', namespace: 'n' } },
          namespaceSelector: { matchLabels: { zz: 'never' } },
          rules: [{}],
        },
      ],
    },
    [
      'webhooks[0].rules[0].operations: Required value',
      'webhooks[0].rules[0].apiGroups: Required value',
      'webhooks[0].rules[0].apiVersions: Required value',
      'webhooks[0].rules[0].resources: Required value',
    ],
  ],
])
