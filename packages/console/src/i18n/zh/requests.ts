import type { Texts } from '../en.ts';
import { sayMinutes } from '../say-minutes.ts';
import { written } from '../written.ts';

export const requests: Texts['requests'] = {
  title: '请求',
  help: '最近七天内失败的调用。不保存请求体和密钥。',
  application: '应用',
  operation: '操作',
  codeAndReason: '代码和原因',
  code: '代码',
  requestId: '请求 ID',
  clear: '清除筛选',
  at: '时间',
  message: '响应原文',
  erased: '内容已随人员信息一并清除',
  duration: '耗时',
  milliseconds: (ms) => `${ms} 毫秒`,
  noOperation: '无',
  noApplication: '未指明',
  unknown: '未知应用',
  unverified: '（未验证）',
  claimed: '请求自称的应用，签名未通过验证',
  empty: '没有失败的调用',
  emptyHelp: '调用失败后十秒内会出现在这里。',
  noneFound: '没有符合条件的失败调用',
  noneFoundHelp: '请减少筛选条件。成功的调用不会保存。',
  noneFoundThenHelp: '请减少筛选条件，或选择更长的时间段。成功的调用不会保存。',
  noneThen: '这段时间没有失败的调用',
  noneThenHelp: '请选择更长的时间段。失败的调用保存七天。',
  call: '请求',
  address: 'IP 地址',
  cause: '可能的原因',
  likely: (cause) => `可能的原因：${cause}`,
  recordedCause: '服务器记录的原因（英文）',
  searchCutShort: {
    others:
      '未知。同一秒内的其他错误签名用完了查找时间，因此未能查完已知的错误。请让应用单独发送一次这样的请求，再到这里查看。',
    long: '未知。查找已知的错误用时过长，因此未能查完。可以用 fieldroster explain 继续查找，需要提供请求、请求的签名和应用的密钥。',
  },
  noCause: '未能找到。如果下面的字符串与应用所签的一致，说明应用的密钥与服务器上的不同。',
  noCauseWithBody: '未能找到。可能是请求体在签名之后被改动，也可能是应用的密钥与服务器上的不同。',
  noCauseWithoutValues:
    '未能找到。下面的字符串缺少未保存的值，请补全后比对。如果与应用所签的一致，说明应用的密钥与服务器上的不同。',
  whatWasWrong: '错误详情',
  whatToDo: '处理方法',
  stepWithoutValues:
    '显示为“…”的值，以及可能含有密码的请求体的摘要，都不会保存，因此下面的字符串无法直接比对。请在签名实验室中打开，补上应用实际发送的内容，再将那里的字符串与应用生成的比对。如果完全一致，说明应用的密钥有误，请轮换密钥。',
  stepWithCause: '这需要在应用中修正，请转告其开发者。轮换密钥没有帮助。',
  stepOfClock: ({ direction, minutes }) =>
    `应用的时钟${direction === 'behind' ? '慢' : '快'}了 ${sayMinutes(minutes, { d: ' 天', h: ' 小时', min: ' 分钟' })}，请校准应用所在机器的时钟。`,
  stepAfterPurge:
    '应用多半没有问题。服务器已删除那段时间的记录，无法判断这个请求是不是新的。请在响应给出的时间之后重新签名；如果仍被拒绝，请用 fieldroster claims status 检查服务器的时钟。',
  stepOfServerClock: '服务器的时钟与其数据库的时钟不一致。请先用 NTP 校准两者，再联系应用的开发者。',
  stepsOfTime: {
    'time zone': '时钟多半没有问题。应用必须发送自 1970-01-01 UTC 起的秒数，而不是本地时间，请转告其开发者。',
    milliseconds: '时钟多半没有问题。应用必须以秒为单位发送时间，而不是毫秒，请转告其开发者。',
    microseconds: '时钟多半没有问题。应用必须以秒为单位发送时间，而不是微秒，请转告其开发者。',
  },
  withheldDigest: '（未保存：请求体可能含有密码）',
  stringToSign: '服务器的待签名字符串',
  otherReading: '或者，按另一种方式解读查询参数',
  copyString: '复制字符串',
  lines: {
    Method: '方法',
    'Content-MD5': 'Content-MD5',
    Timestamp: '时间戳',
    Nonce: '随机数',
    CanonicalizedResource: '规范化资源',
  },
  openInLab: '在签名实验室中打开',
  notFound: '没有找到此请求 ID 的失败调用',
  reasons: (unkept) => [
    '该调用刚刚失败：服务器会在十秒内写入失败的调用。',
    '该调用属于其他租户的应用。',
    ...(unkept === 0
      ? []
      : [
          unkept === undefined
            ? '短时间内失败过多，该调用可能只计数、未保存。'
            : `短时间内失败过多，有 ${written(unkept)} 次调用只计数、未保存，该调用可能是其中之一。`,
        ]),
    '服务器当时过于繁忙，未处理该调用就以 1503 拒绝：这类调用只计数，不保存。',
    '该调用已超过七天，或被大量更新的失败调用取代。',
    '该调用来自控制台，或者不是服务器能读取的 HTTP 请求：这两种情况只记在服务器的日志中。',
    '服务器设置了 --calls-keep 0，不记录调用：只有日志中有该调用。',
    '该调用成功了：只保存失败的调用。',
  ],
};
