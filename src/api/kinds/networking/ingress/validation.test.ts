// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { ingresses } from './kind.ts'
import { validateIngress } from './validation.ts'

const ingress: Subject = { type: 'networking.Ingress', strategy: ingresses.strategy, base: {} }
creates(validateIngress, ingress, [
  [
    'empty',
    { metadata: { name: 'x', namespace: 'default' }, spec: {} },
    ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  ],
  [
    'no pathType',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } }] },
    },
    ['spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified'],
  ],
  [
    'bad path',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [
          {
            host: 'a.b',
            http: { paths: [{ path: 'foo//bar/..', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
          },
        ],
      },
    },
    [
      'spec.rules[0].http.paths[0].path: Invalid value: "foo//bar/..": must be an absolute path',
      'spec.rules[0].http.paths[0].path: Invalid value: "foo//bar/..": must not contain \'//\'',
      'spec.rules[0].http.paths[0].path: Invalid value: "foo//bar/..": cannot end with \'/..\'',
    ],
  ],
  [
    'bad pathType',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [
          { host: 'a.b', http: { paths: [{ path: '/', pathType: 'Regex', backend: { service: { name: 's', port: { number: 80 } } } }] } },
        ],
      },
    },
    ['spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"'],
  ],
  [
    'bad backend',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend: {} }] } }] },
    },
    ['spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required'],
  ],
  [
    'backend without port',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: { rules: [{ host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's' } } }] } }] },
    },
    ['spec.rules[0].http.paths[0].backend: Required value: port name or number is required'],
  ],
  [
    'backend both ports',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [
          {
            host: 'a.b',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: '1s', port: { name: 'a', number: 1 } } } }] },
          },
        ],
      },
    },
    ['spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number'],
  ],
  [
    'backend both',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [
          {
            host: 'a.b',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 's', port: { number: 1 } }, resource: { kind: 'a', name: 'b' } },
                },
              ],
            },
          },
        ],
      },
    },
    ['spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both resource and service backends'],
  ],
  [
    'backend bad resource',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [
          {
            host: 'a.b',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { resource: { apiGroup: 'A_', kind: '', name: 'a/b' } } }] },
          },
        ],
      },
    },
    [
      "spec.rules[0].http.paths[0].backend.resource.apiGroup: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.rules[0].http.paths[0].backend.resource.kind: Required value',
      'spec.rules[0].http.paths[0].backend.resource.name: Invalid value: "a/b": may not contain \'/\'',
    ],
  ],
  [
    'host ip and wildcard',
    {
      metadata: { name: 'x', namespace: 'default' },
      spec: {
        rules: [{ host: '1.2.3.4', http: { paths: [] } }, { host: '*.*.foo' }, { host: 'A.b' }],
        tls: [{ hosts: ['*foo', 'x_y'], secretName: 'A' }],
        ingressClassName: 'A_b',
      },
    },
    [
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
      'spec.rules[0].http.paths: Required value',
      "spec.rules[1].host: Invalid value: \"*.*.foo\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.rules[2].host: Invalid value: \"A.b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.tls[0].hosts[0]: Invalid value: \"*foo\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.tls[0].hosts[1]: Invalid value: \"x_y\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.tls[0].secretName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.ingressClassName: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'class twice',
    {
      metadata: { name: 'x', annotations: { 'kubernetes.io/ingress.class': 'a' }, namespace: 'default' },
      spec: {
        ingressClassName: 'b',
        rules: [
          { host: 'a.b', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] } },
        ],
      },
    },
    ['annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified'],
  ],
  [
    'bad service name',
    { metadata: { name: 'x', namespace: 'default' }, spec: { defaultBackend: { service: { name: 'A_b', port: { number: 99999 } } } } },
    [
      "spec.defaultBackend.service.name: Invalid value: \"A_b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.defaultBackend.service.port.number: Invalid value: 99999: must be between 1 and 65535, inclusive',
    ],
  ],
])
