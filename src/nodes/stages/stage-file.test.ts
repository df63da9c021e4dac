import { describe, expect, it } from 'vitest'
import { readStageFile } from './stage-file.ts'

const stage = (name: string, more = '') => `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: ${name}
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  next: { delete: true }
${more}`

const read = (text: string) => readStageFile(text, 'stages.yaml')

describe('readStageFile()', () => {
  it('reads several stages, and skips other objects', () => {
    const configuration = 'apiVersion: config.kwok.x-k8s.io/v1alpha1\nkind: KwokConfiguration\noptions: {}'
    const logs = 'apiVersion: kwok.x-k8s.io/v1alpha1\nkind: ClusterLogs\nspec: {}'
    const text = `kind: Kustomization\nresources: [a]\n---\n${configuration}\n---\n${logs}\n---\n${stage('one')}\n---\n${stage('two')}`
    expect(read(text).map(({ metadata }) => metadata?.name)).toEqual(['one', 'two'])
    const list = `kind: List\nitems:\n- ${stage('three').replace(/\n/g, '\n  ')}`
    expect(read(list).map(({ metadata }) => metadata?.name)).toEqual(['three'])
  })

  it.each<[name: string, text: string, message: string]>([
    ['another kind', 'apiVersion: v1\nkind: Pod', 'stages.yaml:2: kind "Pod" is not a Stage of kwok.x-k8s.io'],
    [
      'a query',
      `${stage('one')}\n---\n${stage('two', '  selector: { matchExpressions: [{ key: ".a |", operator: Exists }] }')}`,
      'stages.yaml:13: Cannot play Stage "two": Cannot read query ".a |"',
    ],
    [
      'a stage that does nothing',
      stage('one').replace('next:', 'nxt:'),
      'stages.yaml:4: Cannot play Stage "one": it does nothing: spec.next is missing',
    ],
    [
      'a length that is no number',
      stage('one', '  delay: { durationMilliseconds: 5s }'),
      'spec.delay.durationMilliseconds must be a whole number from 0 on, not "5s"',
    ],
    ['a weight below 0', stage('one', '  weight: -1'), 'spec.weight must be a whole number from 0 on, not -1'],
    [
      'an unknown function',
      stage('one').replace('delete: true', 'statusTemplate: "phase: {{ if Podip }}a{{ end }}"'),
      'Cannot play Stage "one": function "Podip" not defined',
    ],
  ])('refuses %s', (_, text, message) => expect(() => read(text)).toThrow(message))
})
