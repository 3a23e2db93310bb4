import type { Texts } from '../en.ts';

export const failure: Texts['failure'] = {
  title: '操作未成功',
  inEnglish: '服务器拒绝了此操作。原因（英文）：',
  unreachable: '服务器没有响应',
  unreachableHelp: '您输入的内容不会丢失，本页会自动重试。',
  unreachableChange:
    '您输入的内容不会丢失。服务器恢复后，请再次点击按钮：即使第一次请求已经送达，变更也只会执行一次。',
  answerLost: '操作已完成，但没有收到响应',
  answerLostHelp: '服务器已执行变更，但响应送达之前网络中断了。请重新加载页面查看结果。',
  answersLost: {
    issueApplication:
      '应用已创建，但密钥在传输途中丢失，不会再次显示。请在列表中打开该应用并轮换密钥，届时会显示新密钥。',
    rotateSecret:
      '新密钥在传输途中丢失，不会再次显示。如果您让原来的密钥继续有效，再轮换一次会使它立即失效：请在能够马上换上新密钥时再轮换，或者在服务器上运行 fieldroster app rotate --replace-newest，这样原来的密钥不受影响。',
    inviteOperator: '链接在传输途中丢失，不会再次显示，也没有人拿到该链接。请再生成一个。',
    resetOperator: '链接在传输途中丢失，不会再次显示，也没有人拿到该链接。请再生成一个。',
    beginSecondFactor:
      '新密钥在传输途中丢失，不会再次显示。请再次点击“继续”，获取新的密钥；如需验证码，请输入下一个。',
    confirmSecondFactor:
      '两步验证已开启，但恢复码在传输途中丢失，不会再次显示。请重新加载页面，然后生成新的恢复码。',
    makeRecoveryCodes:
      '原有恢复码已失效，但新的恢复码在传输途中丢失，不会再次显示。请输入下一个验证码，再生成一次。',
  },
  perhapsDone: '操作可能已执行',
  perhapsDoneHelp:
    '收到响应之前，您的会话已结束。请再次点击按钮：即使第一次请求已经送达，变更也只会执行一次。',
  perhapsDoneHelps: {
    changePassword:
      '收到响应之前，您的会话已结束。您刚才登录所用的密码就是当前密码；如果那是旧密码，请再次点击按钮。',
    confirmSecondFactor:
      '收到响应之前，您的会话已结束。两步验证可能已开启，但恢复码不会再次显示。请重新加载页面；如果已开启，请生成新的恢复码。',
    makeRecoveryCodes:
      '收到响应之前，您的会话已结束。如果操作已执行，原有恢复码已失效，新的恢复码也不会再次显示。请输入下一个验证码，再生成一次。',
  },
  outdated: '无法加载控制台的这一部分',
  outdatedHelp: '服务器可能已更新版本，请重新加载页面。',
  reload: '重新加载页面',
  requestId: (id) => `请求 ID ${id}`,
  notFound: '没有这个页面',
  notFoundHelp: '网址可能有误，或者页面已移动。',
  toOverview: '前往总览',
  noTenant: '没有这个租户',
  noTenantHelp: '网址可能有误，或者您无权访问该租户。您可以访问的租户：',
  rightsChanged: (role, hasAllTenants) =>
    `您的权限已变更。您现在的身份：${role}，${hasAllTenants ? '可以访问全部租户' : '只能访问可选择的租户'}。`,
  withoutTenant: '您没有可以访问的租户',
  withoutTenantHelp: (username) => `请所有者为 ${username} 开通租户的访问权限，然后重试。`,
};
