import { describe, expect, it } from 'vitest'
import { changed, context, messagesOf, nothing, type PodChange } from '../testing/example-pod.ts'
import { validatePodResizeUpdate } from '../validation.ts'

describe('validatePodResizeUpdate()', () => {
  const resize = (before: PodChange, after: PodChange) => messagesOf(validatePodResizeUpdate(changed(after), changed(before), context))
  const cpu =
    (amount: string): PodChange =>
    ({ spec, status }) => {
      spec.containers[0]!.resources = { requests: { cpu: amount } }
      status.qosClass = 'Burstable'
    }

  it.each<readonly [string, PodChange, PodChange, readonly string[]]>([
    ['more cpu', cpu('1'), cpu('2'), []],
    [
      'no cpu any more',
      cpu('1'),
      nothing,
      [
        'spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
        'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
      ],
    ],
    [
      'an image',
      cpu('1'),
      (pod) => {
        cpu('1')(pod)
        pod.spec.containers[0]!.image = 'x'
      },
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    [
      'a host name',
      cpu('1'),
      (pod) => {
        cpu('1')(pod)
        pod.spec.hostname = 'x'
      },
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    [
      'another container',
      cpu('1'),
      (pod) => {
        cpu('1')(pod)
        pod.spec.containers[0]!.name = 'x'
      },
      ['spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
    ],
    [
      'a pod of Windows',
      ({ spec }) => {
        spec.os = { name: 'windows' }
      },
      nothing,
      ['[]: Forbidden: windows pods cannot be resized'],
    ],
    [
      'a node that cannot',
      (pod) => {
        cpu('1')(pod)
        pod.status.containerStatuses = [{ name: 'main', image: '', imageID: '', ready: true, restartCount: 0, state: { running: {} } }]
      },
      cpu('2'),
      ['spec: Forbidden: Pod running on node without support for resize'],
    ],
  ])('%s', (_name, before, after, messages) => {
    expect(resize(before, after)).toEqual(messages)
  })
})
