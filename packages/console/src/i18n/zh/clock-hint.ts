/** 应用时钟有误时的提示，依据响应原文中的猜测。 */
export function clockHint(hint: string): string {
  if (hint.includes("its database's")) return '服务器的时钟与其数据库的时钟不一致，可能是服务器的时钟有误。';
  if (hint.includes('milliseconds')) return '看起来是毫秒，应发送秒。';
  if (hint.includes('microseconds')) return '看起来是微秒，应发送秒。';
  if (hint.includes('date and a time'))
    return '看起来是写成数字的日期和时间，应发送自 1970-01-01 UTC 起的秒数。';
  const advice = hint.includes('time zone')
    ? '相差像是时区所致，应发送自 1970-01-01 UTC 起的秒数，而不是本地时间。'
    : '请用 NTP 校准应用所在机器的时钟，并在发送前才签名。';
  return hint.includes('second attempt') ? `${advice}如果这是重试，请先确认上一次是否已经生效。` : advice;
}
