import { describe, expect, it } from 'vitest'
import { dumpGo } from './dump.ts'

describe('dumpGo()', () => {
  for (const [name, type, value, expected] of [
    ['an empty struct', 'core.ExecAction', {}, '(v1.ExecAction){Command:([]string)<nil>}'],
    ['a list', 'core.ExecAction', { command: ['a', 'b'] }, '(v1.ExecAction){Command:([]string)[a b]}'],
    ['pointers', 'core.PodDNSConfigOption', { name: 'n', value: 'v' }, '(v1.PodDNSConfigOption){Name:(string)n Value:(*string)v}'],
    ['a missing pointer', 'core.PodDNSConfigOption', { name: 'n' }, '(v1.PodDNSConfigOption){Name:(string)n Value:(*string)<nil>}'],
    ['Go names', 'core.HostAlias', { ip: '1.2.3.4' }, '(v1.HostAlias){IP:(string)1.2.3.4 Hostnames:([]string)<nil>}'],
    [
      'an inlined struct',
      'core.ConfigMapEnvSource',
      { name: 'a' },
      '(v1.ConfigMapEnvSource){LocalObjectReference:(v1.LocalObjectReference){Name:(string)a} Optional:(*bool)<nil>}',
    ],
    [
      'a number or a name',
      'core.TCPSocketAction',
      { port: 80 },
      '(v1.TCPSocketAction){Port:(intstr.IntOrString){Type:(intstr.Type)0 IntVal:(int32)80 StrVal:(string)} Host:(string)}',
    ],
    [
      'quantities, sorted by name',
      'core.ResourceRequirements',
      { limits: { memory: '64Mi', cpu: '500m' } },
      '(v1.ResourceRequirements){Limits:(v1.ResourceList)map[' +
        'cpu:{i:(resource.int64Amount){value:(int64)500 scale:(resource.Scale)-3} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)500m Format:(resource.Format)DecimalSI} ' +
        'memory:{i:(resource.int64Amount){value:(int64)67108864 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string) Format:(resource.Format)BinarySI}' +
        '] Requests:(v1.ResourceList)<nil> Claims:([]v1.ResourceClaim)<nil>}',
    ],
  ] as const)
    it(`writes ${name}`, () => expect(dumpGo(type, value)).toBe(expected))
})
