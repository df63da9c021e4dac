import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { mutatingWebhookConfigurations } from '../../api/kinds.ts'
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import { VirtualClock } from '../../base/virtual-clock.ts'
import { expiryOf } from '../credentials/certificates.ts'
import { startVirtualCluster } from '../virtual-cluster.ts'
import { webhookObjects } from './pacer-admission-objects.ts'
import { keepWebhookCertificates, planCertificates } from './webhook-certificates.ts'

const nowMs = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000
const hosts = ['pacer.rollcall.svc', '127.0.0.1']
const first = planCertificates(undefined, hosts, nowMs).certificates

const isSigned = ({ authority, server }: typeof first) =>
  new X509Certificate(server.certificate).verify(new X509Certificate(authority.certificate).publicKey)

describe('planCertificates()', () => {
  it('creates an authority and a certificate for every host', () => {
    const server = new X509Certificate(first.server.certificate)
    expect([server.checkHost('pacer.rollcall.svc'), server.checkIP('127.0.0.1'), isSigned(first)]).toEqual([
      'pacer.rollcall.svc',
      '127.0.0.1',
      true,
    ])
  })

  it('keeps them while they are valid for long enough', () => {
    expect(planCertificates(first, hosts, nowMs + 59 * dayMs)).toEqual({ certificates: first, isNew: false })
  })

  it('renews the certificate 30 days before it expires, under the same authority', () => {
    const { certificates, isNew } = planCertificates(first, hosts, nowMs + 61 * dayMs)
    expect([isNew, certificates.authority, isSigned(certificates)]).toEqual([true, first.authority, true])
    expect(expiryOf(certificates.server)).toBe(nowMs + 151 * dayMs)
  })

  it('renews the authority under the same key, so that the old caBundle verifies the new certificate', () => {
    const { certificates } = planCertificates(first, hosts, nowMs + 3640 * dayMs)
    expect(certificates.authority.certificate).not.toBe(first.authority.certificate)
    expect(isSigned({ authority: first.authority, server: certificates.server })).toBe(true)
  })

  it('renews the certificate for another host', () => {
    const { certificates, isNew } = planCertificates(first, [...hosts, 'localhost'], nowMs)
    expect([isNew, new X509Certificate(certificates.server.certificate).checkHost('localhost')]).toEqual([true, 'localhost'])
  })
})

describe('keepWebhookCertificates()', () => {
  it('lets a standby serve a second after the leader has written them', async () => {
    const clock = new VirtualClock()
    const failures: unknown[] = []
    const onFailure = (_what: string, error: unknown) => failures.push(error)
    const { client } = await startVirtualCluster({ clock, seed: 1, gates: defaultFeatureGates, nodes: [{ count: 1 }], onFailure })
    const name = 'rollcall-pacer'
    for (const object of webhookObjects({ name, namespace: 'kube-system' }))
      await client.create(mutatingWebhookConfigurations, undefined, object as never)
    const keep = (mayWrite: boolean) =>
      keepWebhookCertificates({
        ...{ client, clock, namespace: 'kube-system', name, hosts, onFailure },
        configurations: [mutatingWebhookConfigurations],
        mayWrite: () => mayWrite,
        onCertificates() {},
      })
    const standby = keep(false)
    await clock.advance(30_000)
    expect(standby.areKnown).toBe(false)
    const leader = keep(true)
    await clock.advance(2_000)
    expect([leader.areKnown, standby.areKnown, failures]).toEqual([true, true, []])
    await leader.stop()
    await standby.stop()
  })
})
