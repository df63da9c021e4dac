import { describe, expect, it } from 'vitest'
import { context, exampleContainer, examplePod, messagesOf } from '../testing/example-pod.ts'
import { validatePod, validatePodUpdate } from '../validation.ts'

const cost = 'controller.kubernetes.io/pod-deletion-cost'
const path = `metadata.annotations[${cost}]`
const seccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const appArmor = 'container.apparmor.security.beta.kubernetes.io/'

const withAnnotations = (annotations: Record<string, string>) => {
  const pod = examplePod()
  pod.metadata.annotations = annotations
  return pod
}

describe('validatePod(), annotations', () => {
  it.each(['0', '1', '-1', '-0', '-007', '2147483647', '-2147483648'])('takes the deletion cost %s', (value) => {
    expect(validatePod(withAnnotations({ [cost]: value }), context)).toEqual([])
  })

  it.each(['', 'x', '1.5', '+1', '01', '00', '2147483648', '-2147483649', ' 1', '1 ', '1e3', '-', '0x1'])(
    'refuses the deletion cost "%s"',
    (value) => {
      expect(messagesOf(validatePod(withAnnotations({ [cost]: value }), context))).toEqual([
        `${path}: Invalid value: "${value}": must be a 32bit integer`,
      ])
    },
  )

  it('takes any deletion cost while the gate is off', () => {
    const gates = { ...context.gates, PodDeletionCost: false }
    expect(validatePod(withAnnotations({ [cost]: 'x' }), { gates })).toEqual([])
  })

  it.each([
    [
      'a mirror pod without a node',
      { 'kubernetes.io/config.mirror': 'm' },
      ['metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "m": must set spec.nodeName if mirror pod annotation is set'],
    ],
    [
      'tolerations of old',
      { 'scheduler.alpha.kubernetes.io/tolerations': '[{"key":"a","operator":"Is"}]' },
      [
        'metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
      ],
    ],
    [
      'an unknown seccomp profile',
      { [seccomp]: 'x' },
      [`metadata.annotations.${seccomp}: Invalid value: "x": must be a valid seccomp profile`],
    ],
    [
      'a seccomp profile that goes up',
      { 'container.seccomp.security.alpha.kubernetes.io/main': 'localhost/../x' },
      [`metadata.annotations.container.seccomp.security.alpha.kubernetes.io/main: Invalid value: "../x": must not contain '..'`],
    ],
    [
      'an AppArmor profile of no container, and an unknown one',
      { [`${appArmor}gone`]: 'runtime/default', [`${appArmor}main`]: 'x' },
      [
        `metadata.annotations[${appArmor}gone]: Invalid value: "gone": container not found`,
        `metadata.annotations[${appArmor}main]: Invalid value: "x": invalid AppArmor profile name: "x"`,
      ],
    ],
    ['an unknown annotation', { 'example.com/a': 'b' }, []],
  ])('%s', (_name, annotations, messages) => {
    expect(messagesOf(validatePod(withAnnotations(annotations as Record<string, string>), context))).toEqual(messages)
  })

  it('requires annotations and fields to agree', () => {
    const pod = withAnnotations({ [seccomp]: 'unconfined', [`${appArmor}main`]: 'localhost/a' })
    pod.spec.securityContext = { seccompProfile: { type: 'RuntimeDefault' } }
    pod.spec.containers = [exampleContainer({ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'b' } } })]
    expect(messagesOf(validatePod(pod, context))).toEqual([
      'spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match',
      'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match',
    ])
  })
})

describe('validatePodUpdate(), annotations', () => {
  it('says a bad deletion cost twice', () => {
    const message = `${path}: Invalid value: "x": must be a 32bit integer`
    expect(messagesOf(validatePodUpdate(withAnnotations({ [cost]: 'x' }), examplePod(), context))).toEqual([message, message])
  })

  it('accepts an invalid deletion cost that was stored before', () => {
    const old = withAnnotations({ [cost]: 'x' })
    expect(validatePodUpdate(withAnnotations({ [cost]: 'y' }), old, context)).toEqual([])
  })

  it('keeps mirror and AppArmor annotations as they are', () => {
    const old = withAnnotations({ 'kubernetes.io/config.mirror': 'a', [`${appArmor}main`]: 'unconfined' })
    old.spec.nodeName = 'n'
    const next = withAnnotations({})
    next.spec.nodeName = 'n'
    expect(messagesOf(validatePodUpdate(next, old, context))).toEqual([
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not remove or update mirror pod annotation',
      `metadata.annotations[${appArmor}main]: Forbidden: may not remove or update AppArmor annotations`,
    ])
    expect(messagesOf(validatePodUpdate(old, next, context))).toEqual([
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
      `metadata.annotations[${appArmor}main]: Forbidden: may not add AppArmor annotations`,
    ])
  })
})
