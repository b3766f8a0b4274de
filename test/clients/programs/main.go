package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"example/docent"
)

func client(key string) *docent.ClientWithResponses {
	withKey := docent.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv(key))
		return nil
	})
	return must(docent.NewClientWithResponses(os.Getenv("BASE_URL"), withKey))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	project, domain := os.Getenv("PROJECT_ID"), os.Getenv("DOMAIN")
	admin, reader := client("ADMIN_KEY"), client("ASSISTANT_KEY")

	model := docent.Sonnet
	created := must(admin.CreateJobWithResponse(ctx, project, &docent.CreateJobParams{},
		docent.CreateJob{Prompt: os.Getenv("PROMPT"), Model: &model}))
	job := created.JSON201
	wait := "wait=60"
	for job.Status == docent.JobStatusActive {
		job = must(admin.GetJobWithResponse(ctx, project, job.Id, &docent.GetJobParams{Prefer: &wait})).JSON200
	}

	text := any("install")
	answered := must(reader.AskAssistant(ctx, domain, &docent.AskAssistantParams{}, docent.AskAssistant{
		Fp: "anonymous",
		Messages: []docent.Message{{
			Role:  docent.RoleUser,
			Parts: []docent.MessagePart{{Type: "text", Text: &text}},
		}},
	}))
	answer := must(io.ReadAll(answered.Body))
	found := must(reader.SearchWithResponse(ctx, domain, docent.Search{Query: "install"}))
	paths := []string{}
	for _, result := range *found.JSON200 {
		paths = append(paths, result.Path)
	}
	page := must(reader.GetMarkdownPageWithResponse(ctx, domain, "guides/setup"))
	refused := must(reader.ListJobsWithResponse(ctx, project, &docent.ListJobsParams{}))
	fmt.Println(string(must(json.Marshal(map[string]any{
		"status":  job.Status,
		"prLink":  job.PrLink,
		"answer":  string(answer),
		"paths":   paths,
		"page":    string(page.Body),
		"problem": refused.ApplicationproblemJSON403.Type,
	}))))
}
