// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { ingressClasses, validateIngressClass, validateIngressClassUpdate } from './kind.ts'

const ingressClass: Subject = { type: 'networking.IngressClass', strategy: ingressClasses.strategy, base: {} }
creates(validateIngressClass, ingressClass, [
  ['no controller', { metadata: { name: 'x' }, spec: {} }, ['spec.controller: Required value']],
  [
    'bad params',
    { metadata: { name: 'x' }, spec: { controller: 'foo', parameters: { scope: 'Foo' } } },
    [
      'spec.controller: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")',
      'spec.parameters.kind: Required value',
      'spec.parameters.name: Required value',
      'spec.parameters.scope: Unsupported value: "Foo": supported values: "Cluster", "Namespace"',
    ],
  ],
  [
    'ns params',
    { metadata: { name: 'x' }, spec: { controller: 'a.io/b', parameters: { kind: 'a', name: 'b', scope: 'Namespace' } } },
    ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
  ],
  [
    'cluster params',
    { metadata: { name: 'x' }, spec: { controller: 'a.io/b', parameters: { kind: 'a', name: 'b', namespace: 'x' } } },
    ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
  ],
])
updates(validateIngressClassUpdate, ingressClass, [
  [
    'change controller',
    { metadata: { name: 'x' }, spec: { controller: 'a.io/c' } },
    { metadata: { name: 'x' }, spec: { controller: 'a.io/b' } },
    ['spec.controller: Invalid value: "a.io/c": field is immutable'],
  ],
])
