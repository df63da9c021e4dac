import type { Types } from '../../../machinery/schema/schema.ts'

export const certificateSigningRequestTypes: Types = {
  'certificates.CertificateSigningRequest': {
    $typeMeta: 'object',
    spec: 'certificates.CertificateSigningRequestSpec always required #2',
    status: 'certificates.CertificateSigningRequestStatus #3',
  },
  'certificates.CertificateSigningRequestSpec': {
    request: 'bytes always required #1',
    signerName: 'string always required #7',
    expirationSeconds: '*int32 #8',
    usages: '[]string list=atomic goType=[]v1.KeyUsage #5',
    username: 'string #2',
    uid: 'string goName=UID #3',
    groups: '[]string list=atomic #4',
    extra: 'map []string goType=map[string]v1.ExtraValue #6',
  },
  'certificates.CertificateSigningRequestStatus': {
    conditions: '[]certificates.CertificateSigningRequestCondition list=map keys=type #1',
    certificate: 'bytes #2',
  },
  'certificates.CertificateSigningRequestCondition': {
    type: 'string always required goType=v1.RequestConditionType #1',
    status: 'string always required goType=v1.ConditionStatus #6',
    reason: 'string #2',
    message: 'string #3',
    lastUpdateTime: 'Time #4',
    lastTransitionTime: 'Time #5',
  },
}
