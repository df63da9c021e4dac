import { describe, expect, it } from 'vitest'
import { templateHash } from './template-hash.ts'

const template = {
  metadata: { labels: { app: 'x' } },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'nginx:2',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
}

describe('templateHash()', () => {
  it('is the one that Kubernetes v1.37 gives', () => expect(templateHash(template, undefined)).toBe('7b8548f787'))

  it('changes with the template and with each collision', () => {
    const other = { ...template, metadata: { labels: { app: 'y' } } }
    const hashes = [templateHash(template, undefined), templateHash(other, undefined), templateHash(template, 1), templateHash(template, 2)]
    expect(new Set(hashes).size).toBe(4)
  })
})
