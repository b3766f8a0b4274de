import json
import os

from httpx import Timeout

from docent_client import AuthenticatedClient
from docent_client.api.agent import create_job, get_job, list_jobs
from docent_client.api.assistant import ask_assistant, get_markdown_page, search
from docent_client.models import (
    AskAssistant,
    CreateJob,
    Job,
    JobStatus,
    Message,
    MessagePart,
    ModelChoice,
    Problem,
    Role,
    Search,
)


def client(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ[key])


admin, reader = client("ADMIN_KEY"), client("ASSISTANT_KEY")
project, domain = os.environ["PROJECT_ID"], os.environ["DOMAIN"]

job = create_job.sync(
    project,
    client=admin,
    body=CreateJob(prompt=os.environ["PROMPT"], model=ModelChoice.SONNET),
)
assert isinstance(job, Job)
while job.status == JobStatus.ACTIVE:
    found = get_job.sync(project, job.id, client=admin.with_timeout(Timeout(70)), prefer="wait=60")
    assert isinstance(found, Job)
    job = found

question = Message(role=Role.USER, parts=[MessagePart(type_="text", text="install")])
answered = ask_assistant.sync_detailed(
    domain, client=reader, body=AskAssistant(fp="anonymous", messages=[question])
)
results = search.sync(domain, client=reader, body=Search(query="install"))
assert isinstance(results, list)
page = get_markdown_page.sync_detailed(domain, "guides/setup", client=reader)
refused = list_jobs.sync(project, client=reader)
assert isinstance(refused, Problem)
print(
    json.dumps(
        {
            "status": job.status,
            "prLink": job.pr_link,
            "answer": answered.content.decode(),
            "paths": [result.path for result in results],
            "page": page.content.decode(),
            "problem": refused.type_,
        }
    )
)
