// The messages are those of kube-apiserver v1.37.1.
import { creates, type Subject } from '../../../testing/judge-rows.ts'
import { apiServices, validateApiService } from './kind.ts'

const apiService: Subject = { type: 'apiregistration.APIService', strategy: apiServices.strategy, base: {} }
creates(validateApiService, apiService, [
  [
    'wrong name',
    {
      metadata: { name: 'v1.y' },
      spec: { service: { name: 'm', namespace: 'n' }, group: 'x.k8s.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 },
    },
    ['metadata.name: Invalid value: "v1.y": must be `spec.version+"."+spec.group`: "v1.x.k8s.io"'],
  ],
  [
    'bad prio',
    {
      metadata: { name: 'v1.x.k8s.io' },
      spec: {
        service: { name: 'm', namespace: 'n' },
        group: 'x.k8s.io',
        version: 'v1',
        groupPriorityMinimum: 0,
        versionPriority: 2000,
        caBundle: 'YQ==',
        insecureSkipTLSVerify: true,
      },
    },
    [
      'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 2000: must be positive and less than 1000',
      'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
    ],
  ],
  [
    'no service',
    {
      metadata: { name: 'v1.x.k8s.io' },
      spec: { service: {}, group: 'x.k8s.io', version: 'v1', groupPriorityMinimum: 100, versionPriority: 100 },
    },
    ['spec.service.namespace: Required value', 'spec.service.name: Required value'],
  ],
  [
    'local insecure',
    {
      metadata: { name: 'v1.x.k8s.io' },
      spec: {
        group: 'x.k8s.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        caBundle: 'YWI=',
      },
    },
    [
      'spec.caBundle: Invalid value: "2 bytes": local APIServices may not have a caBundle',
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
  ],
  [
    'bad version',
    {
      metadata: { name: 'V_1.x.k8s.io' },
      spec: { service: { name: 'm', namespace: 'n' }, group: 'x.k8s.io', version: 'V_1', groupPriorityMinimum: 100, versionPriority: 100 },
    },
    [
      "spec.version: Invalid value: \"V_1\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
])
