import { describe, expect, it } from 'vitest'
import { ingressClasses, ingresses } from '../../api/kinds.ts'
import type { Ingress } from '../../api/types.ts'
import { input, openBench, options } from '../rest/testing/rest-bench.ts'

const rules = [{ host: 'a.example.com' }]
const ingressClass = (name: string, isDefault: boolean) => ({
  metadata: { name, annotations: { 'ingressclass.kubernetes.io/is-default-class': String(isDefault) } },
  spec: { controller: 'example.com/controller' },
})

/** The class of the Ingress when it was created. */
async function classOf(ingress: object, classes: readonly object[]): Promise<string | undefined> {
  const bench = await openBench()
  for (const one of classes) await bench.create(ingressClasses, one)
  const created = await bench.create(ingresses, ingress)
  return (created as Ingress).spec?.ingressClassName
}

describe('the default IngressClass', () => {
  const named = { metadata: { name: 'web' }, spec: { rules } }

  it.each([
    ['is set where none is named', named, [ingressClass('other', false), ingressClass('nginx', true)], 'nginx'],
    ['is not set when no class is the default', named, [ingressClass('nginx', false)], undefined],
    ['leaves a class that is named', { ...named, spec: { rules, ingressClassName: 'mine' } }, [ingressClass('nginx', true)], 'mine'],
    [
      'leaves a class in the old annotation',
      { metadata: { name: 'web', annotations: { 'kubernetes.io/ingress.class': 'old' } }, spec: { rules } },
      [ingressClass('nginx', true)],
      undefined,
    ],
  ])('%s', async (_, ingress, classes, expected) => {
    expect(await classOf(ingress, classes)).toBe(expected)
  })

  it('is not set in an Ingress that exists', async () => {
    const bench = await openBench()
    await bench.create(ingresses, named)
    await bench.create(ingressClasses, ingressClass('nginx', true))
    const changed = { ...named, metadata: { name: 'web', labels: { a: 'b' } } }
    await bench.rest.update(ingresses, 'default', 'web', undefined, input(changed), options)
    expect((bench.rest.get(ingresses, 'default', 'web').object as Ingress).spec?.ingressClassName).toBeUndefined()
  })
})
