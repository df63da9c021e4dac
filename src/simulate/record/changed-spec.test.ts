import { describe, expect, it } from 'vitest'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { describeChangedSpec } from './changed-spec.ts'

const web = (generation: number, spec: object) =>
  ({ kind: 'Deployment', metadata: { name: 'web', generation }, spec }) as unknown as Stored<KubernetesObject>
const template = (image: string, annotations = {}) => ({
  metadata: { annotations },
  spec: { containers: [{ name: 'nginx', image }] },
})

describe('describeChangedSpec()', () => {
  const before = { replicas: 3, template: template('nginx:1') }
  const rows: readonly [string, object, string][] = [
    ['an image', { ...before, template: template('nginx:2') }, 'nginx=nginx:2'],
    ['replicas', { ...before, replicas: 5 }, 'replicas=5'],
    ['both', { replicas: 5, template: template('nginx:2') }, 'nginx=nginx:2, replicas=5'],
    ['a pause', { ...before, paused: true }, 'paused=true'],
    ['a restart', { ...before, template: template('nginx:1', { 'kubectl.kubernetes.io/restartedAt': 'now' }) }, 'restarted'],
    ['another template', { ...before, template: template('nginx:1', { a: 'b' }) }, 'another pod template'],
    ['anything else', { ...before, minReadySeconds: 3 }, 'changed'],
  ]
  for (const [name, after, words] of rows)
    it(name, () => expect(describeChangedSpec(web(1, before), web(2, after))).toBe(`Deployment/web: ${words}`))

  it('says nothing of a status', () => expect(describeChangedSpec(web(1, before), web(1, before))).toBeUndefined())
})
