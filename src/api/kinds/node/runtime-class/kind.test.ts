// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { runtimeClasses, validateRuntimeClass, validateRuntimeClassUpdate } from './kind.ts'

const runtimeClass: Subject = { type: 'node.RuntimeClass', strategy: runtimeClasses.strategy, base: {} }
creates(validateRuntimeClass, runtimeClass, [
  ['no handler', { metadata: { name: 'x' } }, ['handler: Required value']],
  [
    'bad handler',
    {
      metadata: { name: 'x' },
      handler: 'A.b',
      overhead: { podFixed: { foo: '1' } },
      scheduling: {
        nodeSelector: { 'a b': 'c' },
        tolerations: [
          { key: 'a', operator: 'Exists' },
          { key: 'a', operator: 'Exists' },
          { key: 'a', operator: 'Foo' },
        ],
      },
    },
    [
      "handler: Invalid value: \"A.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
      'overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
      "scheduling.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'scheduling.tolerations[2].operator: Unsupported value: "Foo": supported values: "Equal", "Exists"',
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    ],
  ],
])
updates(validateRuntimeClassUpdate, runtimeClass, [
  [
    'a bad toleration',
    { metadata: { name: 'x' }, handler: 'a', scheduling: { tolerations: [{ key: 'a', operator: 'Foo' }] } },
    { metadata: { name: 'x' }, handler: 'a' },
    ['scheduling.tolerations[0].operator: Unsupported value: "Foo": supported values: "Equal", "Exists"'],
  ],
  [
    'change handler',
    { metadata: { name: 'x' }, handler: 'b' },
    { metadata: { name: 'x' }, handler: 'a' },
    ['handler: Invalid value: null: field is immutable'],
  ],
])
