import { creates, type Subject, updates } from '../../../testing/judge-rows.ts'
import { validateControllerRevision, validateControllerRevisionUpdate } from './kind.ts'

const notNegative = 'must be greater than or equal to 0'
const immutable = 'field is immutable'
const metadata = { name: 'a', namespace: 'default' }
const revision: Subject = { type: 'apps.ControllerRevision', strategy: {}, base: { metadata, revision: 1, data: { a: 1 } } }
creates(validateControllerRevision, revision, [
  ['a plain one', {}, []],
  ['no data', { data: null }, ['data: Required value: data is mandatory']],
  ['data of another form', { data: [1] }, ['data: Required value: data must be a valid JSON object']],
  ['a negative number', { revision: -1 }, [`revision: Invalid value: -1: ${notNegative}`]],
])
updates(validateControllerRevisionUpdate, revision, [
  ['another number', { revision: 2 }, {}, []],
  ['other data', { data: { a: 2 } }, {}, [`data: Invalid value: {"a":2}: ${immutable}`]],
])
