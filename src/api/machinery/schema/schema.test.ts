import { describe, expect, it } from 'vitest'
import { proposedFields } from './proposals.ts'
import { allStructNames, type FieldType, structOf } from './schema.ts'

const structs = allStructNames().map(structOf)

describe('the schema table', () => {
  it('names only structs that it has', () => {
    const check = (type: FieldType): void => {
      if (type.kind === 'struct') structOf(type.name)
      else if (type.kind !== 'scalar') check(type.of)
    }
    for (const { fields } of structs) for (const { type } of fields) check(type)
    expect(structs.length).toBeGreaterThan(300)
  })

  it('has the protobuf number of every field but those that have none upstream, each once', () => {
    for (const { name, fields } of structs) {
      const numbered = fields.filter(({ numbers }) => numbers.length > 0)
      const missing = fields.filter((field) => field.numbers.length === 0 && !field.isProposal)
      expect(missing.map((field) => `${name}.${field.name}`)).toEqual([])
      expect(new Set(numbered.map(({ numbers }) => numbers.join('.'))).size).toBe(numbered.length)
    }
  })

  it.each([
    ['apps.DeploymentSpec', 'podReplacementPolicy', 10],
    ['apps.ReplicaSetStatus', 'terminatingReplicas', 7],
    ['apps.DeploymentStatus', 'terminatingReplicas', 9],
    ['batch.JobSpec', 'podReplacementPolicy', 14],
    ['batch.JobStatus', 'ready', 9],
    ['batch.JobStatus', 'terminating', 11],
  ])('has the number that the proposals give to %s.%s', (type, field, number) =>
    expect(structOf(type).byName.get(field)?.numbers).toEqual([number]),
  )

  it.each([
    ['core.EmptyDirVolumeSource', 'mode', 'is off'],
    ['resource.Device', 'nodeAllocatableResources', 'is off'],
    ['resource.DeviceAttribute', 'versions', 'is off'],
    ['coordination.LeaseSpec', 'preferredHolder', 'is off'],
  ])('drops %s.%s, whose feature %s', (type, field) => expect(structOf(type).byName.get(field)?.isDropped).toBe(true))

  it.each([
    ['core.Container', 'restartPolicyRules', 'is on'],
    ['core.VolumeProjection', 'podCertificate', 'is on, under another name than the marker'],
    ['apps.RollingUpdateStatefulSetStrategy', 'maxUnavailable', 'has a gate of Rollcall'],
    ['core.TypedObjectReference', 'namespace', 'is handled by the strategy of claims'],
    ['storage.CSIDriverSpec', 'storageCapacity', 'no longer has a gate'],
  ])('keeps %s.%s, whose feature %s', (type, field) => expect(structOf(type).byName.get(field)?.isDropped).toBe(false))

  it('adds the fields of the proposals to structs of Kubernetes, after their own', () => {
    const proposed = structs.flatMap(({ fields }) => fields.filter(({ isProposal }) => isProposal))
    expect(proposed).toHaveLength(13)
    for (const { fields } of structs)
      expect(fields.map(({ isProposal }) => isProposal)).toEqual(fields.map((field) => field.isProposal).toSorted())
    expect(Object.keys(proposedFields).filter((name) => !allStructNames().includes(name))).toEqual([])
  })

  it('has keys for every list that merges by them', () => {
    for (const { name, fields } of structs)
      for (const { name: field, type, listType, listKeys } of fields) {
        if (listType !== 'map' || type.kind !== 'list' || type.of.kind !== 'struct') continue
        const element = structOf(type.of.name)
        expect(listKeys.length, `${name}.${field}`).toBeGreaterThan(0)
        for (const key of listKeys) expect(element.byName.has(key), `${name}.${field}: ${key}`).toBe(true)
      }
  })
})
